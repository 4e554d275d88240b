import { computed, ref, watch, type Ref } from 'vue'
import type { Badges } from '../../shared/api/overview.ts'
import type { SwitchChange } from '../../shared/api/switch.ts'
import { api } from '../api.ts'
import { followLive, isOnline, isSignedOut, onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'
import { setServerNames } from './server-colours.ts'

export interface FrameState {
  readonly badges: Ref<Badges | undefined>
  readonly isOnline: Ref<boolean>
  readonly isSignedOut: Ref<boolean>
  readonly isSwitching: Ref<boolean>
  readonly version: Ref<string>
  readonly servers: Ref<string[]>
  readonly tools: Ref<{ server: string; tool: string }[]>
  readonly settings: Ref<{ label: string; path: string }[]>
  switchTo(change: SwitchChange): Promise<void>
  /** Reads what the palette finds. */
  readNames(): Promise<void>
}

/** What surrounds every screen: badges, the switch, and whether the engine answers. */
export function useFrame(): FrameState {
  followLive()
  const badges = ref<Badges>()
  onLive('badges', (item) => (badges.value = item.badges))
  const overview = useQuery(() => api.overview.get({ days: 1 }))
  onLive('settings', () => void overview.reload())
  watch(overview.data, (now) => setServerNames(now?.servers.map(({ id }) => id) ?? []))
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
    version: computed(() => overview.data.value?.version ?? ''),
    servers: computed(() => overview.data.value?.servers.map((server) => server.id) ?? []),
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
    readNames: async () => {
      await overview.reload()
      tools.value = await api.tools.list({}).catch(() => tools.value)
      // With the schemas of the settings, which the first screen has no need of.
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
