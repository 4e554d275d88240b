import { computed, ref, watch } from 'vue'
import type { SwitchChange } from '../../shared/api/switch.ts'
import { api } from '../api.ts'
import { useBusy } from './busy.ts'
import { badges, followLive, isOnline, isSignedOut } from './live.ts'
import { useNotices } from './notices.ts'
import { setServerNames } from './server-colours.ts'

export function useFrame() {
  followLive()
  const servers = computed(() => badges.value?.servers ?? [])
  watch(servers, setServerNames, { immediate: true })
  const { isBusy: isSwitching, run } = useBusy()
  const tools = ref<{ server: string; tool: string }[]>([])
  const settings = ref<{ label: string; path: string }[]>([])
  const notices = useNotices()
  return {
    badges,
    isOnline,
    isSignedOut,
    isSwitching,
    tools,
    settings,
    version: computed(() => badges.value?.version ?? ''),
    servers,
    switchTo: (change: SwitchChange) => run('The switch stays as it was', () => api.switch.set(change)),
    restart: (server: string) =>
      notices.attempt(`${server} was not restarted`, async () => {
        await api.servers.restart({ server })
        notices.done(`${server} restarts`)
      }),
    readNames: async () => {
      tools.value = await api.tools.list({}).catch(() => tools.value)
      const { settingsGroups } = await import('../format/settings-fields.ts')
      settings.value = await api.settings.schema().then(
        (schema) =>
          settingsGroups(schema).flatMap((group) =>
            group.fields.map(({ label, path }) => ({
              label: `${group.label}: ${label}`,
              path: path.join('.'),
            })),
          ),
        () => settings.value,
      )
    },
  }
}
