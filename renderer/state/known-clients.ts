import { computed, type ComputedRef, type Ref } from 'vue'
import type { Settings } from '../../shared/settings.ts'
import { api } from '../api.ts'
import { useQuery } from './query.ts'

const DAY_MS = 86_400_000

/** Names of AI apps: of the last 30 days, and of the settings. */
export function useKnownClients(settings: Ref<Settings | undefined>): ComputedRef<string[]> {
  const seen = useQuery(() => {
    const now = Date.now()
    return api.stats.report({ from: now - 30 * DAY_MS, to: now + 1 })
  })
  return computed(() =>
    [
      ...new Set([
        ...(seen.data.value?.byClient.map(({ client }) => client) ?? []),
        ...Object.keys(settings.value?.clients ?? {}),
      ]),
    ].toSorted(),
  )
}
