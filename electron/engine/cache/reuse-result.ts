import type { CallTool, Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { CacheStore, FoundEntry } from './cache-store.ts'
import type { Changes } from './changes.ts'
import { createFlights } from './flights.ts'
import { packBody, unpackBody, type PackOptions } from './pack-body.ts'
import { onlyReads } from './only-reads.ts'

export interface ReuseResultOptions extends PackOptions {
  readonly store: CacheStore
  readonly changes: Changes
  readonly keyOf: (call: ToolCall) => string | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/** Without the result. */
export interface ResultFacts {
  readonly sha256: string
  /** What the guard says of it. */
  readonly scan: Pick<ToolOutcome, 'tooLargeToScan' | 'isMarked'>
}

/**
 * Also merges identical concurrent calls. Only for tools that only read; any other call outdates its server's
 * results. Outside guard and masking, so that it stores what they let pass, and inside all layers that may refuse a
 * call. Fails open: asks the server.
 */
export function createReuseResult(options: ReuseResultOptions) {
  const { store, changes, now, logger } = options
  const flights = createFlights(isForAll)
  changes.onChange((serverId) => flights.leave((call) => call.serverId === serverId))

  const failed = (call: ToolCall, what: string, error: unknown): undefined => {
    logger.warn(what, { server: call.serverId, tool: call.tool, cause: messageOf(error) })
    return undefined
  }

  /** Without its body. */
  const find = (call: ToolCall): (FoundEntry & { key: string; known: ResultFacts }) | undefined => {
    const key = mayReuse(call) && !changes.isUncertain(call.serverId) ? options.keyOf(call) : undefined
    if (key === undefined) return undefined
    try {
      const found = store.find(key)
      const age = found ? now() - found.created : -1
      // Negative if the clock was set back: the age is unknown.
      if (!found || age < 0 || age >= call.policy.cache.ttlSeconds * 1000) return undefined
      const known = readFacts(found.facts)
      // Failures may have been cached under another policy.
      if (found.facts['isError'] === true && !call.policy.cache.errors) return undefined
      return { ...found, key, known }
    } catch (error) {
      return failed(call, 'the cache could not be read', error)
    }
  }

  const answer = async (call: ToolCall): Promise<ToolOutcome | undefined> => {
    const found = find(call)
    if (!found) return undefined
    try {
      const body = found.body()
      if (!body) return undefined
      const result = await unpackBody(body, options)
      store.use(found.key)
      return { result, cached: true, cachedAt: found.created, ...found.known.scan }
    } catch (error) {
      return failed(call, 'a result could not be taken from the cache', error)
    }
  }

  const makeAndKeep =
    (next: CallTool, key: string): CallTool =>
    async (call) => {
      const created = now()
      const course = changes.begin(call)
      let generation: number | undefined
      try {
        generation = store.generation(call.serverId)
      } catch (error) {
        failed(call, 'the cache could not be read', error)
      }
      try {
        const outcome = await next(call)
        const { cache } = call.policy
        const isError = outcome.result['isError'] === true
        if (generation === undefined || !isForAll(outcome) || (isError && !cache.errors)) return outcome
        const body = await packBody(outcome.result, options)
        if (!course.isUnchanged()) return outcome
        const facts: JsonObject = {
          sha256: body.sha256,
          tooLargeToScan: outcome.tooLargeToScan ?? false,
          isMarked: outcome.isMarked ?? false,
          ...(isError ? { isError } : {}),
        }
        const expires = created + cache.ttlSeconds * 1000
        const { serverId: server, tool, clientName: client } = call
        try {
          store.put({ key, level: 'result', server, tool, client, created, expires, facts, body }, generation)
        } catch (error) {
          failed(call, 'a result could not be kept in the cache', error)
        }
        return outcome
      } finally {
        course.end()
      }
    }

  const reuseResult: Interceptor = (next) => {
    const once = async (call: ToolCall): Promise<ToolOutcome> => {
      const key = mayReuse(call) ? options.keyOf(call) : undefined
      if (key === undefined) return next(call)
      const known = await answer(call)
      if (known) return known
      const { outcome, isShared } = await flights.join(key, call, makeAndKeep(next, key))
      return isShared ? { ...outcome, cached: true, cachedAt: now() } : outcome
    }
    return function reuseResult(call) {
      return onlyReads(call) ? once(call) : changes.around(call, () => next(call))
    }
  }

  return { reuseResult, find }
}

const mayReuse = (call: ToolCall): boolean =>
  call.policy.cache.enabled &&
  call.policy.cache.ttlSeconds > 0 &&
  call.inputResponses === undefined &&
  onlyReads(call)

/** Finished and not quarantined. */
const isForAll = ({ result, refusedBy }: ToolOutcome): boolean =>
  refusedBy === undefined &&
  (result['resultType'] ?? 'complete') === 'complete' &&
  (Array.isArray(result['content']) || isJsonObject(result['structuredContent']))

const readFacts = (facts: JsonObject): ResultFacts => ({
  sha256: String(facts['sha256']),
  scan: {
    ...(facts['tooLargeToScan'] === true ? { tooLargeToScan: true } : {}),
    ...(facts['isMarked'] === true ? { isMarked: true } : {}),
  },
})
