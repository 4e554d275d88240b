import { useLocalStorage } from '@vueuse/core'
import { computed, shallowRef } from 'vue'
import type { CallSummary } from '../../shared/api/activity.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useQuery } from './query.ts'

/** This browser's progress in the guide. */
const progress = useLocalStorage<'new' | 'begun' | 'done'>('sluice-first-start', 'new')
/** Short: only existence matters, and long sums are slow. */
const DAYS = 1
const MOST_CALLS = 5

export async function isFirstStart(): Promise<boolean> {
  if (progress.value === 'done') return false
  const { servers, recent } = await api.overview.get({ days: DAYS })
  // Never again after the first call.
  if (recent.length > 0) progress.value = 'done'
  return recent.length === 0 && (servers.length === 0 || progress.value === 'begun')
}

export function useFirstStart() {
  if (progress.value === 'new') progress.value = 'begun'
  const calls = shallowRef<readonly CallSummary[]>([])
  const overview = useQuery(async () => {
    const found = await api.overview.get({ days: DAYS })
    if (calls.value.length === 0) calls.value = found.recent.slice(0, MOST_CALLS)
    return found
  })
  onCall((call) => {
    const others = calls.value.filter(({ id }) => id !== call.id)
    calls.value = [call, ...others].slice(0, MOST_CALLS)
    overview.refreshSoon()
  })
  return {
    overview,
    calls,
    kept: computed(() => calls.value.reduce((sum, call) => sum + call.tokensBefore - call.tokensAfter, 0)),
    finish: () => {
      progress.value = 'done'
    },
  }
}
