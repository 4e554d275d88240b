import { useIntervalFn } from '@vueuse/core'
import { ref, type Ref } from 'vue'
import type { Pasted, Registered, Trial } from '../../shared/api/servers.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { api } from '../api.ts'
import { onCall, onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'
import type { OpenReview } from './server-review.ts'

/** Memory changes without event. */
const REFRESH_MS = 10_000

/** Servers with live states, and actions. */
export function useServers() {
  const notices = useNotices()
  const list = useQuery(() => api.servers.list())
  const faults = useQuery(async () =>
    (await api.overview.attention()).filter(({ kind }) => kind === 'settings-problem'),
  )
  onLive('server', () => list.refreshSoon())
  onLive('settings', () => {
    list.refreshSoon()
    faults.refreshSoon()
  })
  onCall(() => list.refreshSoon())
  useIntervalFn(() => {
    if (document.visibilityState === 'visible') void list.reload()
  }, REFRESH_MS)
  const busy = ref('')
  const run = async <T>(name: string, failed: string, work: () => Promise<T>): Promise<T | undefined> => {
    busy.value = name
    try {
      return await work()
    } catch (error) {
      notices.failed(failed, error)
      return undefined
    } finally {
      busy.value = ''
      await list.reload()
    }
  }
  return {
    list,
    faults,
    busy,
    enable: (server: string, enabled: boolean) =>
      run('enable', `${server} stays as it was`, () => api.servers.enable({ server, enabled })),
    restart: async (server: string) => {
      const done = await run('restart', `${server} was not restarted`, () => api.servers.restart({ server }))
      if (done) notices.done(`${server} restarts`)
    },
    share: async (server: string) => {
      const done = await run('share', `${server} stays as it was`, () => api.servers.share({ server }))
      if (done) notices.done(`${server} has one process for all clients`)
    },
    tryStart: (server: string): Promise<Trial | undefined> =>
      run('try', `${server} could not be tried`, () => api.servers.tryStart({ server })),
    remove: async (server: string) => {
      const done = await run('remove', `${server} was not removed`, () => api.servers.remove({ server }))
      if (!done) return
      notices.done(`${server} was removed`, {
        label: 'Undo',
        run: async () => {
          await api.servers.undoRemove({ undo: done.undo })
          await list.reload()
        },
      })
    },
    save: (server: string, settings: ServerSettings) =>
      run('save', `${server} was not saved`, () => api.servers.edit({ server, settings })),
    readPasted: (text: string): Promise<Pasted> => api.servers.readPasted({ text }),
    searchRegistry: (text: string): Promise<Registered> => api.servers.searchRegistry({ text }),
    /** By name, with review. */
    newOnes: (source: NewServers): NewOnes => ({
      open: async (leaveOut, signal) => {
        if (!('text' in source)) {
          const { server, settings } = source
          return api.servers.review({ server, settings }, { signal })
        }
        const left = new Set(leaveOut.map(({ name }) => name))
        const names = source.names.filter((name) => !left.has(name))
        return api.servers.reviewPasted({ text: source.text, names }, { signal })
      },
      add: async (names, reviews) => {
        const { added } =
          'text' in source
            ? await api.servers.addPasted({ ...source, names: [...names], reviews: [...reviews] })
            : await api.servers
                .add({ ...source, reviews: [...reviews] })
                .then(() => ({ added: [source.server] }))
        notices.done(`Added ${added.join(', ')}`)
        await list.reload()
        return added
      },
    }),
    /** Without review: approval is pending at the first connection. */
    addUnseen: (ones: NewOnes, names: readonly string[]) =>
      run('save', 'Nothing was added', () => ones.add(names, [])),
  }
}

export type NewServers =
  | { readonly text: string; readonly names: readonly string[]; readonly keepKeys: boolean }
  | { readonly server: string; readonly settings: ServerSettings; readonly keepKeys: boolean }

export interface NewOnes {
  readonly open: OpenReview
  /** Resolves with the assigned names. */
  add(names: readonly string[], reviews: readonly string[]): Promise<readonly string[]>
}

export function useServerSettings(server: Ref<string>) {
  const settings = useQuery<ServerSettings | undefined>(
    async () => (server.value === '' ? undefined : api.servers.settings({ server: server.value })),
    [server],
  )
  onLive('settings', () => settings.refreshSoon())
  return settings
}
