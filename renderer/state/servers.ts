import { useIntervalFn } from '@vueuse/core'
import { ref, type Ref } from 'vue'
import type { Pasted, Trial } from '../../shared/api/servers.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { api } from '../api.ts'
import { onCall, onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

/** Memory changes without a word. */
const REFRESH_MS = 10_000

/** Every server and its true state, kept up to date, and what can be done with one. */
export function useServers() {
  const notices = useNotices()
  const list = useQuery(() => api.servers.list())
  onLive('server', () => list.refreshSoon())
  onLive('settings', () => list.refreshSoon())
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
    busy,
    enable: (server: string, enabled: boolean) =>
      run('enable', `${server} stays as it was`, () => api.servers.enable({ server, enabled })),
    restart: async (server: string) => {
      const done = await run('restart', `${server} was not restarted`, () => api.servers.restart({ server }))
      if (done) notices.done(`${server} starts anew`)
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
    save: (server: string, settings: ServerSettings, isNew: boolean) =>
      run('save', `${server} was not saved`, () =>
        isNew ? api.servers.add({ server, settings }) : api.servers.edit({ server, settings }),
      ),
    readPasted: (text: string): Promise<Pasted> => api.servers.readPasted({ text }),
    addPasted: async (text: string, names: string[]) => {
      const done = await run('save', 'Nothing was added', () => api.servers.addPasted({ text, names }))
      if (done) notices.done(`Added ${done.added.join(', ')}`)
      return done
    },
  }
}

export const useServerSettings = (server: Ref<string>) =>
  useQuery<ServerSettings | undefined>(
    async () => (server.value === '' ? undefined : api.servers.settings({ server: server.value })),
    [server],
  )
