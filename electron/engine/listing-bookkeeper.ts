import type { Ledger } from './ledger/ledger.ts'
import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'
import type { JsonObject } from './protocol/json-rpc.ts'
import type { SessionDependencies } from './session/session-dependencies.ts'
import type { WorkerPool } from './worker-pool.ts'

const REMEMBERED_SESSIONS = 2_000
/** A client that has just listed is about to ask for more, and on a small machine a worker's start would hold that up. */
export const LISTS_BOOKED_AFTER_MS = 300

/** Books what models are told of tools that are listed lazily: each answer comes on top of the list that they have. */
export const bookTold =
  (options: {
    ledger: Ledger
    workers: WorkerPool
    now: () => number
    logger: Logger
  }): SessionDependencies['onToldOfTools'] =>
  ({ clientName, sessionId, serverId, text }) => {
    const at = options.now()
    options.workers
      .run('count-tokens', text)
      .then((tokens) =>
        options.ledger.recordAddition({
          at,
          client: clientName,
          session: sessionId,
          server: serverId,
          what: 'tools found',
          tokens,
        }),
      )
      .catch((error: unknown) =>
        options.logger.debug('the cost of found tools could not be booked', { error: messageOf(error) }),
      )
  }

/**
 * Books what Sluice's own tools and parameters cost in a conversation, and what hiding and editing saved: once per
 * session and server, since a client keeps the list that it read. Counting happens in a worker, which may have to start for
 * it, and a while after the answer: clients that have just listed are about to ask for more.
 */
export function bookListings(options: {
  ledger: Ledger
  workers: WorkerPool
  now: () => number
  logger: Logger
  /** Runs work that nobody waits for a while later. */
  defer: (work: () => void) => void
}): SessionDependencies['onListed'] {
  const booked = new Set<string>()
  return ({ clientName, sessionId, serverId, own, shown, original }) => {
    const unchanged =
      own.length === 0 && shown.length === original.length && shown.every((tool, i) => tool === original[i])
    const key = JSON.stringify([sessionId, serverId, own.length])
    if (unchanged || booked.has(key)) return
    if (booked.size >= REMEMBERED_SESSIONS) booked.clear()
    booked.add(key)
    const count = (tools: readonly JsonObject[]): Promise<number> =>
      tools.length === 0 ? Promise.resolve(0) : options.workers.run('count-tokens', JSON.stringify(tools))
    const book = async (): Promise<void> => {
      const [ownTokens, shownTokens, originalTokens] = await Promise.all([
        count(own),
        count(shown),
        count(original),
      ])
      const base = { at: options.now(), client: clientName, session: sessionId, server: serverId }
      if (ownTokens > 0) {
        options.ledger.recordAddition({
          ...base,
          server: undefined,
          what: 'exploration tools',
          tokens: ownTokens,
        })
      }
      const difference = shownTokens - originalTokens
      if (difference !== 0)
        options.ledger.recordAddition({ ...base, what: 'tool definitions', tokens: difference })
    }
    options.defer(() => {
      book().catch((error: unknown) =>
        options.logger.debug('the cost of a tool list could not be booked', { error: messageOf(error) }),
      )
    })
  }
}
