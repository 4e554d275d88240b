import { ref } from 'vue'
import type { UnwrapPreview, WrapPreview } from '../../shared/api/clients.ts'
import { api } from '../api.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

/** A change of an app's file that is shown before it is made. */
export type ClientChange =
  | { readonly kind: 'wrap'; readonly preview: WrapPreview }
  | { readonly kind: 'unwrap'; readonly preview: UnwrapPreview }

/** The AI apps on this machine, and wrapping and unwrapping their servers: preview first, then exactly that. */
export function useClients() {
  const notices = useNotices()
  const list = useQuery(() => api.clients.list())
  const change = ref<ClientChange>()
  const isBusy = ref(false)
  const run = async (failed: string, work: () => Promise<void>): Promise<void> => {
    isBusy.value = true
    try {
      await work()
    } catch (error) {
      notices.failed(failed, error)
    } finally {
      isBusy.value = false
    }
  }
  return {
    list,
    change,
    isBusy,
    previewWrap: (client: string, path: string) =>
      run('This file can’t be wrapped', async () => {
        change.value = { kind: 'wrap', preview: await api.clients.previewWrap({ client, path }) }
      }),
    previewUnwrap: (client: string, path: string) =>
      run('This can’t be undone', async () => {
        change.value = { kind: 'unwrap', preview: await api.clients.previewUnwrap({ client, path }) }
      }),
    confirm: () =>
      run('The file stays as it was', async () => {
        const now = change.value
        if (!now) return
        const { hash, resultHash } = now.preview
        if (now.kind === 'wrap') {
          const { advice } = await api.clients.wrap({ ...now.preview.request, hash, resultHash })
          notices.done(`${now.preview.label} is wrapped. ${advice}`)
        } else {
          await api.clients.unwrap({ ...now.preview.request, hash, resultHash })
          notices.done(`${now.preview.label} is as it was`)
        }
        change.value = undefined
        await list.reload()
      }),
  }
}
