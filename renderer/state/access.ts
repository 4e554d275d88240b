import { computed, ref } from 'vue'
import type { AdmittedBrowser } from '../../shared/api/access.ts'
import { loadKey } from '../access/browser-key.ts'
import { api, isInWindow } from '../api.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

export function useAccess() {
  const list = useQuery(() => api.access.browsers())
  const notices = useNotices()
  const own = ref<string>()
  if (!isInWindow) void loadKey().then(async (key) => (own.value = await key?.id()))
  return {
    list,
    browsers: computed(() =>
      (list.data.value ?? []).map((browser) => ({ ...browser, isThis: browser.id === own.value })),
    ),
    revoke: async ({ id, name }: Pick<AdmittedBrowser, 'id' | 'name'>) => {
      await notices.attempt(`The access of ${name} did not end`, async () => {
        await api.access.revoke({ id })
        notices.done(`${name} has no access any more.`)
      })
      await list.reload()
    },
  }
}
