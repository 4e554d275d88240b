import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { ReplayStatus } from '../../shared/api/replay.ts'
import { api } from '../api.ts'
import { useChosenApps } from './chosen-apps.ts'
import { follow } from './follow.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

/** One of the losses, read again from its session. */
export const useReplayedResult = (chosen: Readonly<Ref<string>>) =>
  useQuery(async () => (chosen.value === '' ? undefined : api.replay.compare({ id: chosen.value })), [chosen])

export function useReplay() {
  const notices = useNotices()
  const days = ref(30)
  const compare = ref(false)
  // The field is empty, or has a number out of range, while the user types.
  const validDays = ref(days.value)
  watch(days, (now) => {
    if (Number.isInteger(now) && now >= 1 && now <= 3650) validDays.value = now
  })
  const places = useQuery(() => api.replay.places({ days: validDays.value }), [validDays])
  const first = useQuery(() => api.replay.status())
  const streamed = shallowRef<ReplayStatus>()
  follow(
    (signal) => api.replay.live(undefined, { signal }),
    (now) => (streamed.value = now),
  )
  const status = computed(() => streamed.value ?? first.data.value)
  const apps = useChosenApps(computed(() => (places.data.value ?? []).map(({ app }) => app)))
  const act = (failed: string, work: () => Promise<unknown>) =>
    notices.attempt(failed, async () => {
      await work()
      streamed.value = await api.replay.status()
    })
  return {
    days,
    compare,
    places,
    apps,
    first,
    status,
    start: () =>
      act('The replay did not start', () =>
        api.replay.start({ days: days.value, apps: apps.value, compare: compare.value }),
      ),
    cancel: () => act('The replay goes on', () => api.replay.cancel()),
  }
}
