import type { Answers } from './http/answers.ts'
import type { PinStore } from '../approvals/pin-store.ts'
import { SluiceError } from '../ground/errors.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import { follow } from './live-events.ts'
import { scanOfChanges } from './scan-of-changes.ts'
import type { ScreensOptions } from './screens-options.ts'
import { waitingChange } from './waiting-change.ts'

const BY = 'the Sluice window'

export function createApprovalsAnswers(options: ScreensOptions): Answers['approvals'] {
  const { approvals, events } = options
  const scanChange = scanOfChanges(options)
  const store = (): PinStore => {
    if (approvals.store) return approvals.store
    throw new SluiceError('DATABASE_DAMAGED', approvals.damage ?? 'The record of approvals is damaged.')
  }
  const decide = (
    how: 'approve' | 'deny' | 'askAgain',
    { identity, hashes }: { identity: string; hashes: readonly string[] },
  ): number => {
    store()
    return approvals[how](identity, hashes, BY)
  }
  const count = (): { waiting: number } => ({
    // The overview reports an unreadable record; a throwing stream would end the engine.
    waiting: approvals.store?.pending().filter(({ deniedAt }) => deniedAt === undefined).length ?? 0,
  })
  return {
    waiting: ({ server }) =>
      Promise.all(
        store()
          .pending()
          .filter(({ serverId }) => server === undefined || serverId === server)
          .map(async (change) =>
            waitingChange(change, await scanChange(change, store().toolsOfOthers(change.identity))),
          ),
      ),
    live: (_input, { signal }) =>
      follow<{ waiting: number }>({
        signal,
        backlog: 1,
        first: () => [count()],
        subscribe: (listener) =>
          events.onAny(['approval-needed', 'approvals-decided'], () => listener(count())),
      }),
    approve: (chosen) => ({ approved: decide('approve', chosen) }),
    deny: (chosen) => ({ denied: decide('deny', chosen) }),
    askAgain: (chosen) => ({ waiting: decide('askAgain', chosen) }),
    history: ({ server, limit }) =>
      store()
        .history(undefined, server === undefined ? limit : 1000)
        .filter(({ serverId }) => server === undefined || serverId === server)
        .slice(0, limit)
        .map(({ at, serverId, kind, name, action, by }) => ({
          at,
          server: serverId,
          kind,
          name: cleanText(name, 'visualise'),
          action,
          by,
        })),
  }
}
