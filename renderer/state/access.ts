import { computed, ref, type Ref } from 'vue'
import type { AdmittedBrowser } from '../../shared/api/access.ts'
import { loadKey } from '../access/browser-key.ts'
import { api, isInWindow } from '../api.ts'
import { useNotices } from './notices.ts'
import { useQuery, type Query } from './query.ts'

export interface AccessState {
  readonly list: Query<AdmittedBrowser[]>
  readonly browsers: Ref<(AdmittedBrowser & { readonly isThis: boolean })[]>
  revoke(browser: Pick<AdmittedBrowser, 'id' | 'name'>): Promise<void>
}

export function useAccess(): AccessState {
  const list = useQuery(() => api.access.browsers())
  const notices = useNotices()
  const own = ref<string>()
  if (!isInWindow) void loadKey().then(async (key) => (own.value = await key?.id()))
  return {
    list,
    browsers: computed(() =>
      (list.data.value ?? []).map((browser) => ({ ...browser, isThis: browser.id === own.value })),
    ),
    revoke: async ({ id, name }) => {
      try {
        await api.access.revoke({ id })
        notices.done(`${name} has no access any more.`)
      } catch (error) {
        notices.failed(`The access of ${name} did not end`, error)
      }
      await list.reload()
    },
  }
}
