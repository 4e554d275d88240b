import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import { messageOf } from '../ground/errors.ts'
import { createLater } from '../ground/later.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** In characters: some milliseconds' work. */
const PORTION = 1_000_000
const REMEMBERED_SESSIONS = 2_000
/** After listing, a client soon sends more, which a worker's start would delay on a small machine. */
const BOOKED_AFTER_MS = 300
/** For a closing client. */
const FINISHED_WITHIN_MS = 1_500

export interface ListingBookkeeper {
  /**
   * Of Sluice's own tools and parameters and savings of hiding and editing, once per session and server, because
   * clients keep lists. A worker counts after the answer.
   */
  readonly onListed: (listed: {
    clientName: string
    sessionId: string
    serverId: string | undefined
    /** Added by Sluice. */
    own: readonly JsonObject[]
    shown: readonly JsonObject[]
    original: readonly JsonObject[]
  }) => void
  /** Descriptions of lazily listed tools, which add to the list. */
  readonly onToolsDescribed: (description: {
    clientName: string
    sessionId: string
    serverId: string | undefined
    text: string
  }) => void
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
    onToolsDescribed: ({ clientName, sessionId, serverId, text }) => {
      const base = { at: now(), client: clientName, session: sessionId, server: serverId }
      const book = async (): Promise<void> => {
        const tokens = await workers.run('count-tokens', text)
        await ledger.recordAddition({ ...base, what: 'tools found', tokens })
      }
      follow(book(), 'the cost of found tools')
    },
    finish: async () => {
      void later.flush()
      const timeOut = new AbortController()
      await Promise.race([
        Promise.all(underWay),
        wait(FINISHED_WITHIN_MS, undefined, { signal: timeOut.signal }).catch(() => {}),
      ])
      timeOut.abort()
    },
  }
}

/** JSON in portions on demand, because serialising all would block. */
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
