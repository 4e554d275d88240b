import type { CallSummary } from '../../../shared/api/activity.ts'
import type { LiveItem } from '../../../shared/api/overview.ts'
import type { Answers } from './http/answers.ts'
import { messageOf } from '../ground/errors.ts'
import { follow } from './live-events.ts'
import type { Logger } from '../ground/logger.ts'
import { gather } from './gather.ts'

/** At 200 calls/s a message per call would overload pages. */
const BETWEEN_CALLS_MS = 250

type Parts = Pick<Answers, 'activity' | 'approvals' | 'servers' | 'settings'> & {
  readonly badges: Answers['overview']['badges']
  readonly logger: Pick<Logger, 'warn'>
}

export function createLiveAnswer({
  activity,
  approvals,
  badges,
  logger,
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
        // A failing topic, such as a damaged database, doesn't stop the others.
        const pass = async <Item>(
          matter: string,
          stream: () => AsyncIterable<Item> | Promise<AsyncIterable<Item>>,
          tell: (item: Item) => void,
        ): Promise<void> => {
          try {
            for await (const item of await stream()) tell(item)
          } catch (error) {
            if (!signal.aborted)
              logger.warn('the screens are not told of changes', { matter, error: messageOf(error) })
          }
        }
        void pass('calls', () => activity.live(undefined, { signal }), calls.add)
        void pass(
          'badges',
          () => badges(undefined, { signal }),
          (now) => listener({ kind: 'badges', badges: now }),
        )
        void pass(
          'servers',
          () => servers.live(undefined, { signal }),
          (server) => listener({ kind: 'server', server }),
        )
        void pass(
          'approvals',
          () => approvals.live(undefined, { signal }),
          () => listener({ kind: 'approvals' }),
        )
        void pass(
          'settings',
          () => settings.live(undefined, { signal }),
          () => listener({ kind: 'settings' }),
        )
        return () => {
          calls.stop()
          stop.abort()
        }
      },
    })
}
