import { computed, ref, watch, type Ref } from 'vue'
import type { Badges } from '../../shared/api/overview.ts'
import type { SwitchChange } from '../../shared/api/switch.ts'
import { api } from '../api.ts'
import { badges, followLive, isOnline, isSignedOut } from './live.ts'
import { useNotices } from './notices.ts'
import { setServerNames } from './server-colours.ts'

export interface FrameState {
  readonly badges: Ref<Badges | undefined>
  readonly isOnline: Ref<boolean>
  readonly isSignedOut: Ref<boolean>
  readonly isSwitching: Ref<boolean>
  readonly version: Ref<string>
  readonly servers: Ref<readonly string[]>
  readonly tools: Ref<{ server: string; tool: string }[]>
  readonly settings: Ref<{ label: string; path: string }[]>
  switchTo(change: SwitchChange): Promise<void>
  restart(server: string): Promise<void>
  readNames(): Promise<void>
}

export function useFrame(): FrameState {
  followLive()
  const servers = computed(() => badges.value?.servers ?? [])
  watch(servers, setServerNames, { immediate: true })
  const isSwitching = ref(false)
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
    switchTo: async (change) => {
      isSwitching.value = true
      try {
        await api.switch.set(change)
      } catch (error) {
        notices.failed('The switch stays as it was', error)
      } finally {
        isSwitching.value = false
      }
    },
    restart: async (server) => {
      try {
        await api.servers.restart({ server })
        notices.done(`${server} restarts`)
      } catch (error) {
        notices.failed(`${server} was not restarted`, error)
      }
    },
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
