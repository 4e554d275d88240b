import { computed, watch, type Ref } from 'vue'
import { api } from '../api.ts'
import { fillTimeline, type TimeUnit } from '../format/timeline.ts'
import { badges, onCall } from './live.ts'
import { usePrices } from './prices.ts'
import { useQuery } from './query.ts'

/** Over weeks: changes slowly. */
const SLOW = { everyMs: 15_000 }

function rangeOf(days: number, now = new Date()): { from: number; to: number } {
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1)).getTime()
  return { from, to: now.getTime() + 1 }
}

/** Reloads within a second of each call. */
export function useOverview(days: Ref<number>, unit: Ref<TimeUnit>) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const report = useQuery(() => api.stats.report(rangeOf(days.value)), [days])
  const timeline = useQuery(async () => {
    const range = rangeOf(days.value)
    const wanted = unit.value
    const { points } = await api.stats.timeline({ ...range, unit: wanted, timeZone })
    return { points: fillTimeline(points, range, wanted), unit: wanted }
  }, [days, unit])
  const suggestions = useQuery(() => api.stats.suggestions(rangeOf(days.value)), [days], SLOW)
  const attention = useQuery(() => api.overview.attention(), [], SLOW)
  const budgets = useQuery(() => api.stats.budgets(), [], SLOW)
  const trial = useQuery(() => api.stats.trial(rangeOf(days.value)), [days], SLOW)
  const prices = usePrices()

  onCall(() => {
    for (const query of [report, timeline, suggestions, attention]) query.refreshSoon()
  })

  // Attention doesn't depend on recent calls. The first counts describe data just read.
  const waiting = computed(() => {
    const now = badges.value
    return now && [now.approvals, now.quarantine, now.failedServers, now.problems].join(' ')
  })
  watch(waiting, (_now, before) => {
    if (before !== undefined) void attention.reload()
  })

  const reportFile = (form: 'html' | 'markdown') =>
    api.stats.reportFile({ ...rangeOf(days.value), timeZone, form })
  const reload = async (): Promise<void> => {
    await Promise.all(
      [report, timeline, suggestions, attention, budgets, trial, prices.list].map((query) => query.reload()),
    )
  }
  return { report, timeline, suggestions, attention, budgets, trial, prices, reportFile, reload }
}
