import { ref, shallowRef } from 'vue'
import type { ModelsStatus } from '../../shared/api/models.ts'
import { api } from '../api.ts'
import { follow } from './follow.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'
import { useQuestion } from './question.ts'

export type EndpointDraft = NonNullable<Parameters<typeof api.models.setEndpoint>[0]['endpoint']>

export function useModels() {
  const notices = useNotices()
  const first = useQuery(() => api.models.status())
  const streamed = shallowRef<ModelsStatus>()
  follow(
    (signal) => api.models.live(undefined, { signal }),
    (now) => (streamed.value = now),
  )
  /** Running action: its button waits. */
  const busy = ref('')
  const test = useQuestion(() => api.models.test())

  const act = async (name: string, failed: string, work: () => Promise<unknown>): Promise<boolean> => {
    busy.value = name
    const isDone = await notices.attempt(failed, async () => {
      await work()
      streamed.value = await api.models.status()
    })
    busy.value = ''
    return isDone
  }
  return {
    first,
    streamed,
    busy,
    test,
    download: (id: string) => act(id, 'The download did not start', () => api.models.download({ id })),
    pause: (id: string) => act(id, 'The download goes on', () => api.models.pause({ id })),
    cancel: (id: string) => act(id, 'The download was not cancelled', () => api.models.cancel({ id })),
    remove: async (id: string, name: string) => {
      if (await act(id, `${name} was not deleted`, () => api.models.remove({ id })))
        notices.done(`${name} was deleted`)
    },
    use: (id: string | undefined) => {
      test.clear()
      return act('use', 'The choice stays as it was', () => api.models.use(id === undefined ? {} : { id }))
    },
    unload: () => act('unload', 'It stays loaded', () => api.models.unload()),
    importFile: async (path: string): Promise<boolean> => {
      const done = await act('import', 'The file was not taken', () => api.models.import({ path }))
      if (done) notices.done('The model was copied')
      return done
    },
    setEndpoint: async (endpoint: EndpointDraft): Promise<boolean> => {
      const done = await act('endpoint', 'The endpoint stays as it was', () =>
        api.models.setEndpoint({ endpoint }),
      )
      if (done) notices.done('The endpoint was kept')
      return done
    },
    removeEndpoint: (isUsed: boolean) =>
      act('endpoint', 'The endpoint stays as it was', async () => {
        if (isUsed) await api.models.use({})
        await api.models.setEndpoint({})
        await api.models.setKey({ key: '' }).catch(() => undefined)
      }),
    setKey: async (key: string): Promise<boolean> => {
      const done = await act('key', 'The key was not kept', () => api.models.setKey({ key }))
      if (done) notices.done(key === '' ? 'The key was forgotten' : 'The key was kept')
      return done
    },
  }
}
