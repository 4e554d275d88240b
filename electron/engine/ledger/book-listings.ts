import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import { messageOf } from '../ground/errors.ts'
import { createLater } from '../ground/later.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { SessionDependencies } from '../clients/session/session-dependencies.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** In characters: some milliseconds' work. */
const PORTION = 1_000_000
const REMEMBERED_SESSIONS = 2_000
/** A client that has just listed is about to ask for more, and on a small machine a worker's start would hold that up. */
const BOOKED_AFTER_MS = 300
/** A client that ends waits for its server to end, but not for long. */
const FINISHED_WITHIN_MS = 1_500

export interface ListingBookkeeper {
  /**
   * Books what Sluice's own tools and parameters cost in a conversation, and what hiding and editing saved: once per
   * session and server, since a client keeps the list that it read. A worker counts, a while after the answer.
   */
  readonly onListed: SessionDependencies['onListed']
  /** Books what models are told of tools that are listed lazily: each answer comes on top of the list that they have. */
  readonly onToldOfTools: SessionDependencies['onToldOfTools']
  /** Books what is not booked yet, before the workers end: a session of one call has its list in the ledger, too. */
  finish(): Promise<void>
}

export function createListingBookkeeper(options: {
  ledger: Pick<Ledger, 'recordAddition'>
  workers: Pick<WorkerPool, 'run'>
  now: () => number
  logger: Logger
}): ListingBookkeeper {
  const { ledger, workers, now, logger } = options
  const later = createLater(BOOKED_AFTER_MS)
  const booked = new Set<string>()
  const underWay = new Set<Promise<void>>()
  const count = async (tools: readonly JsonObject[]): Promise<number> => {
    let tokens = 0
    for (const text of textsOf(tools)) tokens += await workers.run('count-tokens', text)
    return tokens
  }
  const follow = (work: Promise<void>, what: string): void => {
    const ended = work
      .catch((error: unknown) => logger.debug(`${what} could not be booked`, { error: messageOf(error) }))
      .finally(() => underWay.delete(ended))
    underWay.add(ended)
  }
  return {
    onListed: ({ clientName, sessionId, serverId, own, shown, original }) => {
      const unchanged =
        own.length === 0 && shown.length === original.length && shown.every((tool, i) => tool === original[i])
      const key = JSON.stringify([sessionId, serverId, own.length])
      if (unchanged || booked.has(key)) return
      if (booked.size >= REMEMBERED_SESSIONS) booked.clear()
      booked.add(key)
      const base = { at: now(), client: clientName, session: sessionId }
      const book = async (): Promise<void> => {
        const [tokens, shownTokens, originalTokens] = [
          await count(own),
          await count(shown),
          await count(original),
        ]
        if (tokens > 0)
          await ledger.recordAddition({ ...base, server: undefined, what: 'exploration tools', tokens })
        const difference = shownTokens - originalTokens
        if (difference !== 0)
          await ledger.recordAddition({
            ...base,
            server: serverId,
            what: 'tool definitions',
            tokens: difference,
          })
      }
      later.add(() => follow(book(), 'the cost of a tool list'))
    },
    onToldOfTools: ({ clientName, sessionId, serverId, text }) => {
      const base = { at: now(), client: clientName, session: sessionId, server: serverId }
      const book = async (): Promise<void> => {
        const tokens = await workers.run('count-tokens', text)
        await ledger.recordAddition({ ...base, what: 'tools found', tokens })
      }
      follow(book(), 'the cost of found tools')
    },
    finish: async () => {
      later.flush()
      const timeOut = new AbortController()
      await Promise.race([
        Promise.all(underWay),
        wait(FINISHED_WITHIN_MS, undefined, { signal: timeOut.signal }).catch(() => {}),
      ])
      timeOut.abort()
    },
  }
}

/** A list as JSON, a long one in portions, each when it is asked for: to write all of it at once would hold everybody up. */
function* textsOf(tools: readonly JsonObject[]): Generator<string> {
  let texts: string[] = []
  let size = 0
  for (const tool of tools) {
    const text = JSON.stringify(tool)
    texts.push(text)
    size += text.length
    if (size < PORTION) continue
    yield `[${texts.join(',')}]`
    texts = []
    size = 0
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`
}
