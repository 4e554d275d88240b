import { createHash } from 'node:crypto'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { CompressionTrace, Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { agoWords } from './ago-words.ts'
import { lineDifference } from './line-difference.ts'

export interface ReferBackOptions {
  /** Names what has seen the results of this context so far; undefined where that can't be known. */
  readonly contextOf: (call: ToolCall) => string | undefined
  readonly keyOf: (call: ToolCall, context: string) => string | undefined
  /** Keeps a result that the model can read by its id. */
  readonly keep: (call: ToolCall, result: JsonObject) => Promise<string>
  readonly countTokens: (text: string) => Promise<number>
  /** Monotonic milliseconds. */
  readonly clock: () => number
  readonly logger: Logger
}

/** The model has it. */
interface Form {
  readonly result: JsonObject
  readonly text: string
  readonly hash: string
  /** Of a kept original. */
  readonly id: string | undefined
  readonly at: number
}

interface Seen {
  /** Came as it is … */
  readonly base: Form
  /** … and this as itself, or as a difference to it. */
  readonly latest: Form
}

/** Apps cut longer results or put them into files. */
const LONGEST = 30_000
/** A note has forty or fifty tokens. */
const SHORTEST = 600
/** Apps clear old results without telling. */
const LONGEST_AGO_MS = 10 * 60_000
const MOST_SEEN = 500
/** Else the whole is easier to read. */
const MOST_OF_WHOLE = 0.5

/**
 * The same call with the same result names the earlier one, and a changed result comes as its difference, where the model
 * still has the earlier one. Outside of `escalate`: a call that gets more of a shortened result has another form.
 * Fails open.
 */
export function createReferBack(options: ReferBackOptions): Interceptor {
  const { clock, logger } = options
  const seen = new Map<string, Seen>()

  const remember = (key: string, forms: Seen): void => {
    seen.delete(key)
    seen.set(key, forms)
    const [oldest] = seen.keys()
    if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest)
  }

  const shorter = async (call: ToolCall, outcome: ToolOutcome, { base, latest }: Seen, now: Form) => {
    if (now.hash === latest.hash) {
      const id = latest.id ?? (await options.keep(call, now.result))
      const text = unchangedNote(id, now.at - latest.at)
      return { text, id, strategy: 'unchanged', latest: { ...latest, id } }
    }
    // A difference to a shortened form would miss what was left out.
    if (outcome.compression?.resultId !== undefined || base.id !== undefined) return undefined
    const difference = lineDifference(base.text, now.text)
    if (difference === undefined || difference.length > now.text.length * MOST_OF_WHOLE) return undefined
    const id = await options.keep(call, now.result)
    const text = `${differenceNote(id, now.at - base.at)}\n${difference}`
    return { text, id, strategy: 'difference', latest: { ...now, id } }
  }

  const answer = async (call: ToolCall, outcome: ToolOutcome, key: string): Promise<ToolOutcome> => {
    const now = formOf(outcome, clock())
    if (!now) return outcome
    const known = seen.get(key)
    const isRecent = known !== undefined && now.at - known.base.at < LONGEST_AGO_MS
    const short = isRecent && !call.bypass ? await shorter(call, outcome, known, now) : undefined
    if (!known || !short) {
      remember(key, { base: now, latest: now })
      return outcome
    }
    remember(key, { base: known.base, latest: { ...short.latest, at: now.at } })
    const [before, after] = await Promise.all([
      options.countTokens(now.text),
      options.countTokens(short.text),
    ])
    const { result, compression } = outcome
    const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
    const trace: CompressionTrace = {
      resultId: short.id,
      strategy: short.strategy,
      tokensBefore: compression?.skipped === undefined ? (compression?.tokensBefore ?? before) : before,
      tokensAfter: after,
      milliseconds: clock() - now.at,
      skipped: undefined,
    }
    return {
      ...outcome,
      result: {
        ...result,
        content: [{ type: 'text', text: short.text }],
        _meta: { ...meta, 'sluice/repeat': { id: short.id, as: short.strategy } },
      },
      compression: trace,
    }
  }

  return (next) => {
    const comparing = async (call: ToolCall, context: string, key: string): Promise<ToolOutcome> => {
      const outcome = await next(call)
      // What was compacted meanwhile isn't there; what was cancelled never came.
      if (call.signal.aborted || options.contextOf(call) !== context) return outcome
      try {
        return await answer(call, outcome, key)
      } catch (error) {
        const { serverId: server, tool } = call
        logger.warn('a repeated result passed whole', { server, tool, cause: messageOf(error) })
        return outcome
      }
    }
    return function referBack(call) {
      const { cache, compression } = call.policy
      const isOn = cache.repeats && compression.strategy !== 'off' && !call.builtIn
      const context = isOn ? options.contextOf(call) : undefined
      const key = context === undefined ? undefined : options.keyOf(call, context)
      return context === undefined || key === undefined ? next(call) : comparing(call, context, key)
    }
  }
}

/** A finished result of one text and nothing else. */
function formOf(
  { result, refusedBy, isMarked, trial, compression }: ToolOutcome,
  at: number,
): Form | undefined {
  const { content, structuredContent, isError } = result
  // A hold-out compares whole results.
  if (trial === 'held') return undefined
  if (refusedBy !== undefined || isMarked || isError === true || structuredContent !== undefined)
    return undefined
  if ((result['resultType'] ?? 'complete') !== 'complete' || !Array.isArray(content)) return undefined
  const [block, ...others] = content as unknown[]
  if (others.length > 0 || !isJsonObject(block) || block['type'] !== 'text') return undefined
  const { text } = block
  if (typeof text !== 'string' || text.length < SHORTEST || text.length > LONGEST) return undefined
  const { _meta: _, ...compared } = result
  const hash = createHash('sha256').update(stringifyExact(compared)).digest('hex')
  return { result, text, hash, id: compression?.resultId, at }
}

const unchangedNote = (id: string, ms: number): string =>
  `[Unchanged: the same result as ${agoWords(ms)}, ${id}. You have it above; proxy_read with this id returns it again.]`

const differenceNote = (id: string, ms: number): string =>
  `[Changed: this is the difference to the result of ${agoWords(ms)}, which you have above. proxy_read with ${id} returns the whole.]`
