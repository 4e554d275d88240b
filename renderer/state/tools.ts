import { computed, ref, watch, type Ref } from 'vue'
import type { ListForm, ToolPreview, ToolStatus, ToolSummary, ToolTrial } from '../../shared/api/tools.ts'
import type { ToolSettings } from '../../shared/settings.ts'
import { api } from '../api.ts'
import { formatNoun } from '../format/numbers.ts'
import { toolKey } from '../format/tool-key.ts'
import { onCall, onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery, type Query } from './query.ts'

const COUNT_AFTER_MS = 150
const WORDS: Record<ListForm, string> = { whole: 'whole', slim: 'in fewer words', lazy: 'lazily' }

const DAY_MS = 86_400_000
const LISTED_DAYS = 30

export type ToolName = Pick<ToolStatus, 'server' | 'tool'>

export function useTools() {
  const notices = useNotices()
  const list = useQuery(() => api.tools.list({}))
  const lists = useQuery(() => api.tools.lists({}))
  onCall(() => list.refreshSoon())
  const reload = () => Promise.all([list.reload(), lists.reload()])
  const names = (tools: readonly ToolName[]): ToolName[] =>
    tools.map(({ server, tool }) => ({ server, tool }))
  const setHidden = async (tools: readonly ToolName[], hidden: boolean): Promise<ToolName[]> => {
    try {
      return (await api.tools.hide({ tools: names(tools), hidden })).changed
    } finally {
      await reload()
    }
  }
  onLive('settings', () => void reload())
  return {
    list,
    lists,
    hide: async (tools: readonly ToolName[], hidden: boolean): Promise<void> => {
      const what = formatNoun(tools.length, 'tool')
      await notices.attempt(`${what} stay as they were`, async () => {
        const changed = await setHidden(tools, hidden)
        notices.done(
          hidden
            ? `${formatNoun(changed.length, 'tool')} hidden`
            : `${formatNoun(changed.length, 'tool')} shown`,
          changed.length === 0
            ? undefined
            : { label: 'Undo', run: async () => void (await setHidden(changed, !hidden)) },
        )
      })
    },
    setList: async (server: string, form: ListForm): Promise<void> => {
      await notices.attempt(`The list of ${server} stays as it was`, async () => {
        await api.tools.setList({ server, form })
        notices.done(`The tools of ${server} are listed ${WORDS[form]}`)
      })
      await reload()
    },
    edit: async (
      { server, tool }: Pick<ToolStatus, 'server' | 'tool'>,
      settings: Parameters<typeof api.tools.edit>[0]['settings'],
    ): Promise<boolean> => {
      const isDone = await notices.attempt(`${tool} stays as it was`, async () => {
        await api.tools.edit({ server, tool, settings })
        notices.done(`${tool} was changed`)
      })
      await list.reload()
      return isDone
    },
    tryOut: (server: string, tool: string, args: Record<string, unknown>, goal: string): Promise<ToolTrial> =>
      api.tools.try({ server, tool, arguments: args, ...(goal && { goal }) }),
  }
}

/** With its whole definition, once it is chosen; nothing while another one's is read. */
export function useTool(chosen: Ref<ToolName | undefined>): Query<ToolStatus> {
  const key = computed(() => chosen.value && toolKey(chosen.value))
  const query = useQuery(async () => {
    const { server, tool } = chosen.value ?? {}
    return server === undefined || tool === undefined ? undefined : api.tools.show({ server, tool })
  }, [key])
  onLive('settings', () => void query.reload())
  return {
    ...query,
    data: computed(() => {
      const { value } = query.data
      return value && toolKey(value) === key.value ? value : undefined
    }),
  }
}

/** At once by what rows show, then by whole definitions, which the engine has. */
export function useToolSearch(text: Ref<string>) {
  const hits = useQuery(async () => {
    const wanted = text.value
    const found = wanted === '' ? [] : await api.tools.search({ text: wanted })
    return { wanted, keys: new Set(found.map(toolKey)) }
  }, [text])
  const current = computed(() => (hits.data.value?.wanted === text.value ? hits.data.value : undefined))
  const lowered = computed(() => text.value.toLowerCase())
  return {
    isFound: (item: ToolSummary): boolean =>
      `${item.server} ${item.tool} ${item.title ?? ''} ${item.about}`.toLowerCase().includes(lowered.value) ||
      current.value?.keys.has(toolKey(item)) === true,
    isSearching: computed(() => current.value === undefined && hits.failure.value === ''),
  }
}

/** With the draft, recounted after changes. */
export function useToolPreview(
  tool: Ref<ToolStatus | undefined>,
  draft: Ref<ToolSettings>,
): Ref<ToolPreview | undefined> {
  const preview = ref<ToolPreview>()
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(
    [tool, draft],
    () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const now = tool.value
        if (!now) return
        void api.tools.preview({ server: now.server, tool: now.tool, settings: draft.value }).then(
          (answer) => (preview.value = answer),
          // Saving rejects an invalid draft.
          () => undefined,
        )
      }, COUNT_AFTER_MS)
    },
    { deep: true, immediate: true },
  )
  return preview
}

/** Days since the first recorded call of the last 30; 0 without one, undefined until `isWanted`. */
export function useWatchedDays(isWanted: () => boolean): Readonly<Ref<number | undefined>> {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const first = useQuery(async () => {
    if (!isWanted()) return undefined
    const now = Date.now()
    const range = { from: now - LISTED_DAYS * DAY_MS, to: now + 1 }
    const { points } = await api.stats.timeline({ ...range, unit: 'day', timeZone })
    const at = points.find(({ calls }) => calls > 0)?.at
    return at === undefined ? 0 : Math.ceil((now - at) / DAY_MS)
  }, [isWanted])
  return first.data
}
