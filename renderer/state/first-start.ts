import { useLocalStorage } from '@vueuse/core'
import { computed, shallowRef } from 'vue'
import type { CallSummary } from '../../shared/api/activity.ts'
import { SCREENS_CLIENT } from '../../shared/screens-client.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useQuery } from './query.ts'

/** This browser's progress in the guide. */
const progress = useLocalStorage<'new' | 'begun' | 'done'>('sluice-first-start', 'new')
/** Short: only existence matters, and long sums are slow. */
const DAYS = 1
const MOST_CALLS = 5
const savedBy = ({ tokensBefore, tokensAfter }: CallSummary): number => tokensBefore - tokensAfter
/** Equal ones keep their order. */
const mostSaving = (calls: readonly CallSummary[]): CallSummary[] =>
  calls.toSorted((a, b) => savedBy(b) - savedBy(a))
/** Not a try-out on these screens. */
const isOfApp = ({ client }: CallSummary): boolean => client !== SCREENS_CLIENT

export type FolderWanted = Parameters<typeof api.tools.tryFolder>[0]
export type FolderTrial = Awaited<ReturnType<typeof api.tools.tryFolder>>

export async function isFirstStart(): Promise<boolean> {
  if (progress.value === 'done') return false
  const { servers, recent: all } = await api.overview.get({ days: DAYS })
  const recent = all.filter(isOfApp)
  // Never again after the first call.
  if (recent.length > 0) progress.value = 'done'
  return recent.length === 0 && (servers.length === 0 || progress.value === 'begun')
}

export function useFirstStart() {
  if (progress.value === 'new') progress.value = 'begun'
  const all = shallowRef<readonly CallSummary[]>([])
  const overview = useQuery(async () => {
    const found = await api.overview.get({ days: DAYS })
    if (all.value.length === 0) all.value = mostSaving(found.recent.filter(isOfApp))
    return found
  })
  onCall((call) => {
    if (!isOfApp(call)) return
    all.value = [call, ...all.value.filter(({ id }) => id !== call.id)]
    overview.refreshSoon()
  })
  return {
    overview,
    /** Those that `kept` is most of. */
    calls: computed(() => all.value.slice(0, MOST_CALLS)),
    /** Net, as on the Overview. */
    kept: computed(() => overview.data.value?.totals.net ?? 0),
    tryFolder: (wanted: FolderWanted): Promise<FolderTrial> => api.tools.tryFolder(wanted),
    finish: () => {
      progress.value = 'done'
    },
  }
}
