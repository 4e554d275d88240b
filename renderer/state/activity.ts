import { useThrottleFn } from '@vueuse/core'
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { CallDetail, CallFilter, CallSummary } from '../../shared/api/activity.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useQuery } from './query.ts'

const PAGE = 50
/** The engine pages the rest. */
const MOST_KEPT = 2_000
/** The first call shows at once, later ones once per second. */
const TELL_EVERY_MS = 1_000

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

/** Limited to the requested length, because hidden rows slow every change. */
export function useActivity(filter: Ref<CallFilter>) {
  const known = shallowRef<readonly CallSummary[]>([])
  const length = ref(PAGE)
  const next = shallowRef<string>()
  /** Older rows were dropped, so `next` no longer follows the last. */
  let isCut = false
  let arrived: CallSummary[] = []

  const first = useQuery(async () => {
    const page = await api.activity.list({ ...filter.value, limit: PAGE })
    return { ...page }
  }, [filter])
  watch(first.data, (page) => {
    known.value = page?.calls ?? []
    length.value = PAGE
    isCut = false
    next.value = page?.next
  })

  const showArrived = useThrottleFn(
    () => {
      const ids = new Set(known.value.slice(0, 200).map(({ id }) => id))
      const all = [...arrived.filter(({ id }) => !ids.has(id)), ...known.value]
      arrived = []
      known.value = all.slice(0, MOST_KEPT)
      isCut ||= all.length > MOST_KEPT
    },
    TELL_EVERY_MS,
    true,
  )
  onCall((call) => {
    if (!matches(call, filter.value)) return
    arrived.unshift(call)
    void showArrived()
  })

  const readOlder = async (): Promise<void> => {
    const last = known.value.at(-1)
    if (length.value + PAGE > known.value.length && last && (isCut || next.value !== undefined)) {
      const place = isCut ? { to: last.at + 1 } : { before: next.value }
      const page = await api.activity.list({ ...filter.value, limit: PAGE, ...place })
      const ids = new Set(known.value.map(({ id }) => id))
      known.value = [...known.value, ...page.calls.filter(({ id }) => !ids.has(id))]
      next.value = page.next
      isCut = false
    }
    length.value += PAGE
  }
  return {
    calls: computed(() => known.value.slice(0, length.value)),
    first,
    readOlder,
    hasOlder: computed(() => next.value !== undefined || isCut || known.value.length > length.value),
  }
}

export const useCall = (id: Ref<string>) =>
  useQuery<CallDetail | undefined>(
    async () => (id.value === '' ? undefined : api.activity.get({ id: id.value })),
    [id],
  )
