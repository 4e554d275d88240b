import { computed, type Ref } from 'vue'
import type { QuarantinedResult } from '../../shared/api/quarantine.ts'
import type { ToolSettings } from '../../shared/settings.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

type Tool = Pick<QuarantinedResult, 'server' | 'tool'>

export function useQuarantine(chosen: Ref<string>) {
  const notices = useNotices()
  const list = useQuery(() => api.quarantine.list())
  const shown = useQuery(
    async () => (chosen.value === '' ? undefined : api.quarantine.show({ id: chosen.value })),
    [chosen],
  )
  const tool = useQuery(async () => {
    const result = shown.data.value
    if (!result) return undefined
    // Resources have no settings, and a removed server has no tools.
    return api.tools.show({ server: result.server, tool: result.tool }).catch(() => undefined)
  }, [shown.data])
  onCall((call) => call.outcome !== 'ok' && list.refreshSoon())
  const act = async (work: Promise<unknown>, done: string, failed: string): Promise<boolean> => {
    const isDone = await notices.attempt(failed, () => work)
    if (isDone) notices.done(done)
    await list.reload()
    return isDone
  }
  const setGuard = async ({ server, tool: name }: Tool, guard: ToolSettings['guard']): Promise<void> => {
    await api.tools.edit({ server, tool: name, settings: { guard: guard ?? null } })
    await tool.reload()
  }
  return {
    list,
    shown,
    canLetPass: computed(() => tool.data.value && tool.data.value.settings.guard?.results !== 'warn'),
    release: async (id: string) => {
      await act(
        api.quarantine.release({ id }),
        'Released. Its client gets it the next time it asks.',
        'It stays in quarantine',
      )
      await shown.reload()
    },
    letPass: async (result: Tool) => {
      const before = tool.data.value?.settings.guard
      await notices.attempt(`Results of ${result.tool} are quarantined as before`, async () => {
        await setGuard(result, { ...before, results: 'warn' })
        notices.done(`Results of ${result.tool} are no longer quarantined`, {
          label: 'Undo',
          run: () => setGuard(result, before),
        })
      })
    },
    remove: (id: string) => act(api.quarantine.delete({ id }), 'Deleted', 'It was not deleted'),
  }
}
