import type { Ref } from 'vue'
import { api } from '../api.ts'
import { onCall } from './live-calls.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

/** What was stopped, one of it in full, and what can be done about it. */
export function useQuarantine(chosen: Ref<string>) {
  const notices = useNotices()
  const list = useQuery(() => api.quarantine.list())
  const shown = useQuery(
    async () => (chosen.value === '' ? undefined : api.quarantine.show({ id: chosen.value })),
    [chosen],
  )
  onCall((call) => call.outcome !== 'ok' && list.refreshSoon())
  const act = async (work: Promise<unknown>, done: string, failed: string): Promise<boolean> => {
    try {
      await work
      notices.done(done)
      return true
    } catch (error) {
      notices.failed(failed, error)
      return false
    } finally {
      await list.reload()
    }
  }
  return {
    list,
    shown,
    release: async (id: string) => {
      await act(
        api.quarantine.release({ id }),
        'Released. Its client gets it the next time it asks.',
        'It stays in quarantine',
      )
      await shown.reload()
    },
    remove: (id: string) => act(api.quarantine.delete({ id }), 'Deleted', 'It was not deleted'),
  }
}
