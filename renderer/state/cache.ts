import { computed } from 'vue'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

export interface CachedServer {
  readonly server: string
  readonly results: number
  readonly forms: number
  readonly bytes: number
  readonly hits: number
}

export function useCache() {
  const notices = useNotices()
  const status = useQuery(() => api.cache.list({}))
  onCall(() => status.refreshSoon())
  const servers = computed((): CachedServer[] => {
    const sums = new Map<string, CachedServer>()
    for (const { server, level, entries, bytes, hits } of status.data.value?.tools ?? []) {
      const sum = sums.get(server) ?? { server, results: 0, forms: 0, bytes: 0, hits: 0 }
      sums.set(server, {
        server,
        results: sum.results + (level === 'result' ? entries : 0),
        forms: sum.forms + (level === 'form' ? entries : 0),
        bytes: sum.bytes + bytes,
        hits: sum.hits + hits,
      })
    }
    return [...sums.values()]
  })
  return {
    status,
    servers,
    clear: async (server?: string): Promise<void> => {
      await notices.attempt('The cache was not cleared', async () => {
        const { cleared } = await api.cache.clear(server === undefined ? {} : { server })
        notices.done(cleared === 1 ? 'One entry forgotten' : `${cleared} entries forgotten`)
      })
      await status.reload()
    },
  }
}
