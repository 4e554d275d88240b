import type { CallSummary } from '../../../shared/api/activity.ts'
import type { LiveItem } from '../../../shared/api/overview.ts'
import type { Answers } from '../dashboard/answers.ts'
import { follow } from '../live-events.ts'
import { gather } from './gather.ts'

/** At 200 calls a second, a message for each would keep every open page busy with nothing but reading them. */
const BETWEEN_CALLS_MS = 250

type Parts = Pick<Answers, 'activity' | 'approvals' | 'servers' | 'settings'> & {
  readonly badges: Answers['overview']['badges']
}

/** One stream of all that the screens follow, out of the streams of each matter. */
export function createLiveAnswer({
  activity,
  approvals,
  badges,
  servers,
  settings,
}: Parts): Answers['overview']['live'] {
  return (_input, { signal: left }) =>
    follow<LiveItem>({
      signal: left,
      subscribe: (listener) => {
        const stop = new AbortController()
        const { signal } = stop
        const calls = gather<CallSummary>(BETWEEN_CALLS_MS, (items) =>
          listener({ kind: 'calls', calls: items }),
        )
        const passCalls = async (): Promise<void> => {
          for await (const call of await activity.live(undefined, { signal })) calls.add(call)
        }
        const pass = async <Item>(
          stream: AsyncIterable<Item> | Promise<AsyncIterable<Item>>,
          toItem: (item: Item) => LiveItem,
        ): Promise<void> => {
          for await (const item of await stream) listener(toItem(item))
        }
        // Each ends when the signal says so, and throws nothing before.
        void passCalls()
        void pass(badges(undefined, { signal }), (now) => ({ kind: 'badges', badges: now }))
        void pass(servers.live(undefined, { signal }), (server) => ({ kind: 'server', server }))
        void pass(approvals.live(undefined, { signal }), () => ({ kind: 'approvals' }))
        void pass(settings.live(undefined, { signal }), () => ({ kind: 'settings' }))
        return () => {
          calls.stop()
          stop.abort()
        }
      },
    })
}
