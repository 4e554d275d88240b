import type { Ref } from 'vue'
import { EXPLORATION_TOOLS, type Comparison } from '../../shared/api/results.ts'
import { api } from '../api.ts'
import { onCall } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

export type ExplorationAnswer = Awaited<ReturnType<typeof api.results.explore>>

export function useKeptResults() {
  const notices = useNotices()
  const results = useQuery(() => api.results.list({}))
  const tools = useQuery(() => api.results.tools())
  onCall((call) => call.resultId !== undefined && results.refreshSoon())
  const explore = async (
    id: string,
    name: string,
    args: Record<string, unknown>,
  ): Promise<ExplorationAnswer> => {
    const tool = EXPLORATION_TOOLS.find((known) => known === name)
    if (!tool) throw new Error(`${name} isn't an exploration tool.`)
    return api.results.explore({ id, tool, arguments: args })
  }
  const shorten = (id: string, wanted: { budget: number; goal?: string }): Promise<Comparison> =>
    api.results.shorten({ id, ...wanted })
  const remove = async (id: string): Promise<boolean> => {
    const isDone = await notices.attempt('The original was not deleted', async () => {
      await api.results.delete({ id })
      notices.done('The original was deleted')
    })
    await results.reload()
    return isDone
  }
  return { results, tools, explore, shorten, remove }
}

export const useComparison = (id: Ref<string>) =>
  useQuery<Comparison | undefined>(
    async () => (id.value === '' ? undefined : api.results.compare({ id: id.value })),
    [id],
  )
