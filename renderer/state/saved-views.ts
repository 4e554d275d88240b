import { useLocalStorage } from '@vueuse/core'
import { computed, type ComputedRef } from 'vue'
import { useRoute, type RouteLocationNormalizedLoaded } from 'vue-router'
import { allSections } from '../frame/sections.ts'

export interface SavedView {
  readonly label: string
  /** With its filters. */
  readonly address: string
}

export interface SavedViews {
  readonly saved: readonly SavedView[]
  /** The open screen, if it is filtered. */
  readonly current: SavedView | undefined
  readonly isSaved: boolean
  save(): void
  forget(): void
}

/** Filtered screens that the user keeps, in this browser. */
export function useSavedViews(): ComputedRef<SavedViews> {
  const route = useRoute()
  const kept = useLocalStorage<SavedView[]>('sluice-saved-views', [])
  return computed(() => {
    const current = viewOf(route)
    const others = kept.value.filter(({ address }) => address !== current?.address)
    return {
      saved: kept.value,
      current,
      isSaved: others.length < kept.value.length,
      save: () => void (kept.value = current ? [...others, current] : others),
      forget: () => void (kept.value = others),
    }
  })
}

/** What is only open beside the list does not belong to it. */
export function viewOf({
  path,
  query,
}: Pick<RouteLocationNormalizedLoaded, 'path' | 'query'>): SavedView | undefined {
  const section = allSections.findLast((each) => path === each.path || path.startsWith(`${each.path}/`))
  const filters = Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && !['view', 'add', 'snippet'].includes(name)
      ? [[name, value]]
      : [],
  )
  if (!section || filters.length === 0) return undefined
  return {
    label: `${section.label}: ${filters.map(([, value]) => value).join(', ')}`,
    address: `${section.path}?${new URLSearchParams(filters)}`,
  }
}
