import { computed, shallowRef, watch, type Ref } from 'vue'
import type { CallDetail, CallFilter, CallSummary } from '../../shared/api/activity.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useQuery } from './query.ts'

const PAGE = 100
/** More than that stays on the engine: older calls are read page by page. */
const MOST_SHOWN = 2_000

const matches = (call: CallSummary, filter: CallFilter): boolean => {
  if (filter.server !== undefined && call.server !== filter.server) return false
  if (filter.tool !== undefined && call.tool !== filter.tool) return false
  if (filter.client !== undefined && call.client !== filter.client) return false
  if (filter.outcome !== undefined && call.outcome !== filter.outcome) return false
  if (filter.only === 'shortened' && call.tokensAfter >= call.tokensBefore) return false
  if (filter.only === 'kept' && call.resultId === undefined) return false
  if (filter.only === 'cached' && !call.cached) return false
  const text = `${call.server} ${call.tool} ${call.client} ${call.note ?? ''}`.toLowerCase()
  return filter.text === undefined || text.includes(filter.text.toLowerCase())
}

/** The calls that pass the filter, the youngest first, with new ones put in front as they are made. */
export function useActivity(filter: Ref<CallFilter>) {
  const calls = shallowRef<readonly CallSummary[]>([])
  const next = shallowRef<string>()
  let arrived: CallSummary[] = []
  let frame = 0

  const first = useQuery(async () => {
    const page = await api.activity.list({ ...filter.value, limit: PAGE })
    return { ...page }
  }, [filter])
  watch(first.data, (page) => {
    calls.value = page?.calls ?? []
    next.value = page?.next
  })

  // Two hundred calls a second are one change of the page per frame.
  onCall((call) => {
    if (!matches(call, filter.value)) return
    arrived.unshift(call)
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      const known = new Set(calls.value.slice(0, 200).map(({ id }) => id))
      calls.value = [...arrived.filter(({ id }) => !known.has(id)), ...calls.value].slice(0, MOST_SHOWN)
      arrived = []
    })
  })

  const readOlder = async (): Promise<void> => {
    if (next.value === undefined) return
    const page = await api.activity.list({ ...filter.value, limit: PAGE, before: next.value })
    calls.value = [...calls.value, ...page.calls]
    next.value = page.next
  }
  return { calls, first, readOlder, hasOlder: computed(() => next.value !== undefined) }
}

/** One call in full; undefined while none is chosen. */
export const useCall = (id: Ref<string>) =>
  useQuery<CallDetail | undefined>(
    async () => (id.value === '' ? undefined : api.activity.get({ id: id.value })),
    [id],
  )
