import { computed, ref, watch, type Ref } from 'vue'
import type { Badges } from '../../shared/api/overview.ts'
import type { SwitchChange } from '../../shared/api/switch.ts'
import { api } from '../api.ts'
import { follow } from './follow.ts'
import { followCalls } from './live-calls.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'
import { setServerNames } from './server-colours.ts'

export interface FrameState {
  readonly badges: Ref<Badges | undefined>
  readonly isOnline: Ref<boolean>
  readonly isSwitching: Ref<boolean>
  readonly version: Ref<string>
  readonly servers: Ref<string[]>
  readonly tools: Ref<{ server: string; tool: string }[]>
  switchTo(change: SwitchChange): Promise<void>
  /** Reads what the palette finds. */
  readNames(): Promise<void>
}

/** What surrounds every screen: badges, the switch, and whether the engine answers. */
export function useFrame(): FrameState {
  const { isOnline } = followCalls()
  const badges = ref<Badges>()
  follow(
    (signal) => api.overview.badges(undefined, { signal }),
    (now) => (badges.value = now),
  )
  const overview = useQuery(() => api.overview.get({ days: 1 }), [isOnline])
  follow(
    (signal) => api.settings.live(undefined, { signal }),
    () => void overview.reload(),
  )
  watch(overview.data, (now) => setServerNames(now?.servers.map(({ id }) => id) ?? []))
  const isSwitching = ref(false)
  const tools = ref<{ server: string; tool: string }[]>([])
  const notices = useNotices()
  return {
    badges,
    isOnline,
    isSwitching,
    tools,
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
    },
  }
}
