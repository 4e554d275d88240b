import { shallowRef } from 'vue'
import type { UnwrapPreview } from '../../shared/api/clients.ts'
import { api } from '../api.ts'
import { onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useBusy } from './busy.ts'
import { useQuery } from './query.ts'

export const useClientList = () => useQuery(() => api.clients.list())

/** What conversations carry before their first word. */
export function useClientCosts() {
  const costs = useQuery(() => api.clients.costs())
  onLive('settings', () => costs.refreshSoon())
  onLive('approvals', () => costs.refreshSoon())
  return costs
}

/** Undefined: available. */
export const useLauncher = () => useQuery(() => api.clients.launcher())

/** Preview, then exactly that. */
export function useUnwrapping(onChanged: () => Promise<void>) {
  const notices = useNotices()
  const preview = shallowRef<UnwrapPreview>()
  const { isBusy, run } = useBusy()
  return {
    preview,
    isBusy,
    open: (client: string, path: string, server?: string) =>
      run('This can’t be undone', async () => {
        const only = server === undefined ? {} : { servers: [server] }
        preview.value = await api.clients.previewUnwrap({ client, path, ...only })
      }),
    confirm: () =>
      run('The file stays as it was', async () => {
        const seen = preview.value
        if (!seen) return
        const { request, hash, resultHash, label, isExact, advice } = seen
        const again = request.servers
          ? `starts ${request.servers.join(', ')} itself again`
          : 'starts its servers itself again'
        try {
          await api.clients.unwrap({ ...request, hash, resultHash })
        } catch (error) {
          // Most likely the file was changed meanwhile: the reader is told to look again, at what is there now.
          preview.value = await api.clients.previewUnwrap(request).catch(() => undefined)
          throw error
        }
        preview.value = undefined
        notices.done(`${label} ${isExact ? 'is as it was' : again}. ${advice}`)
        await onChanged()
      }),
  }
}
