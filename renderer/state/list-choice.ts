import { computed, type Ref } from 'vue'
import { useRoute, useRouter, type RouteParams } from 'vue-router'
import { useListKeys } from './list-keys.ts'

/** In the address, as `/results/r_1a2b`, keeping filters. Arrow keys move along `ids`. */
export function useListChoice(options: {
  /** List address. */
  readonly path: string
  readonly ids: Ref<readonly string[]>
  /** Id from the address. */
  readonly read: (params: RouteParams) => string
  /** Path of an id; default: encoded. */
  readonly write?: (id: string) => string
  readonly dropped?: readonly string[]
}) {
  const { path, ids, write = encodeURIComponent, dropped = [] } = options
  const route = useRoute()
  const router = useRouter()
  const chosen = computed(() => options.read(route.params))
  const choose = (id: string): void => {
    const query = { ...route.query }
    for (const name of dropped) delete query[name]
    void router.replace({ path: id === '' ? path : `${path}/${write(id)}`, query })
  }
  useListKeys(ids, chosen, choose)
  return { chosen, choose }
}

export const paramOf = (params: RouteParams, name: string): string => {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}
