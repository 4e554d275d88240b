import type { CompressionTrace, Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { StartedCall } from './call-journal.ts'
import type { CallOutcome, CallRow } from './call-row.ts'
import { tokensOfResult, type CountAll } from './tokens-of-result.ts'

export interface RecordCallOptions {
  /** Ledger.recordCall, which also emits the event. */
  record: (row: CallRow) => void
  begin?: (call: StartedCall) => void
  /** For results that compression didn't count. */
  countAll: CountAll
  /** Of a short text. */
  countTokens: (text: string) => number
  logger: Logger
  clean: (text: string) => string
  /** The ledger's name of the context that a call belongs to. */
  contextOf: (call: ToolCall) => string
  /** Unix milliseconds. */
  now: () => number
  /** Monotonic milliseconds with fractions, e.g. performance.now. */
  clock: () => number
  /** Until after the answer. Default: setImmediate. */
  defer?: (work: () => void | Promise<void>) => void
}

const OWN_PREFIX = '_sluice_'
/** Note prefix: more because of repetition. */
export const ESCALATED = 'escalation:'
const BYPASS_PARAMETER = '_sluice_bypass'

/**
 * One row and event per call, after the answer. Outermost, so that it sees what the client sees. Fails open: logs
 * errors.
 */
export const recordCall =
  ({
    record,
    begin,
    countAll,
    countTokens,
    logger,
    clean,
    contextOf,
    now,
    clock,
    defer = setImmediate,
  }: RecordCallOptions): Interceptor =>
  (next) =>
    async function recordCall(call) {
      const at = now()
      const start = clock()
      const book = (ended: Ended) => {
        const ms = clock() - start
        const write = (tokens: Tokens): void => {
          const row = toRow(call, ended, tokens, { at, ms, session, countTokens, clean })
          record(row)
          const { id, client, server, tool, outcome, tokensBefore, tokensAfter, strategy } = row
          const shown = { id, client, server, tool, outcome, tokensBefore, tokensAfter, strategy, ms: row.ms }
          logger.debug('call', shown)
        }
        const lose = (error: unknown): void =>
          logger.error(`A call could not be written to the ledger; the call itself is not affected.`, {
            server: call.serverId,
            tool: call.tool,
            cause: messageOf(error),
          })
        defer(() => {
          try {
            const tokens = ended.outcome ? tokensOf(call, ended.outcome, countAll) : NO_TOKENS
            return tokens instanceof Promise ? tokens.then(write).catch(lose) : write(tokens)
          } catch (error) {
            return lose(error)
          }
        })
      }
      const { id, clientName: client, serverId: server, tool } = call
      const session = contextOf(call)
      begin?.({ id, at, client, session, server, tool })
      try {
        const outcome = await next(call)
        book({ outcome })
        return outcome
      } catch (error) {
        book({ error })
        throw error
      }
    }

type Tokens = readonly [before: number, after: number]
const NO_TOKENS: Tokens = [0, 0]

type Ended = { outcome: ToolOutcome; error?: never } | { outcome?: never; error: unknown }

function toRow(
  call: ToolCall,
  { outcome, error }: Ended,
  [before, after]: Tokens,
  {
    at,
    ms,
    session,
    countTokens,
    clean,
  }: Pick<RecordCallOptions, 'countTokens' | 'clean'> & { at: number; ms: number; session: string },
): CallRow {
  const trace = outcome?.compression
  return {
    id: call.id,
    at,
    client: call.clientName,
    session,
    server: call.serverId,
    tool: call.tool,
    outcome: outcome ? outcomeOf(call, outcome) : failureOf(call, error),
    tokensBefore: before,
    tokensAfter: after,
    tokensAdded: ownParameterTokens(call, countTokens),
    strategy: trace?.strategy,
    resultId: trace?.resultId,
    ms: Math.round(ms * 1000) / 1000,
    cached: outcome?.cached ?? false,
    trial: outcome?.trial,
    note: outcome ? (outcome.refusedBy ?? noteOf(trace, outcome)) : clean(messageOf(error)).slice(0, 200),
  }
}

/** After Sluice: what the client got, both halves. Before: that, and what was saved. */
function tokensOf(
  call: ToolCall,
  { result, compression, refusedBy }: ToolOutcome,
  countAll: CountAll,
): Tokens | Promise<Tokens> {
  const cut = call.builtIn?.tokensOfCut
  // Above the app's limit the model wouldn't have seen the whole.
  if (cut !== undefined && compression && compression.skipped === undefined)
    return [cut, compression.tokensAfter]
  if (cut === undefined && compression && (compression.skipped === undefined || compression.tokensBefore > 0))
    return [compression.tokensBefore, compression.tokensAfter]
  const counted = (tokens: number): Tokens => {
    if (cut !== undefined) return [cut, Math.min(cut, tokens)]
    // A requested original, which the model would have had at once without Sluice.
    const isStored = compression !== undefined && call.arguments?.[BYPASS_PARAMETER] === true
    // Sluice's own words came from no server.
    return [isStored || refusedBy !== undefined ? 0 : tokens, tokens]
  }
  const tokens = tokensOfResult(result, countAll)
  return tokens instanceof Promise ? tokens.then(counted) : counted(tokens)
}

function outcomeOf(call: ToolCall, outcome: ToolOutcome): CallOutcome {
  if (outcome.refusedBy !== undefined) return 'refused'
  if (outcome.result['isError'] !== true) return 'ok'
  return call.signal.aborted ? 'cancelled' : 'error'
}

function failureOf(call: ToolCall, error: unknown): CallOutcome {
  if (call.signal.aborted) return 'cancelled'
  return error instanceof SluiceError && error.code === 'CALL_REFUSED' ? 'refused' : 'error'
}

/** Of texts that passed with a note for the model. */
const MARKED = 'reads like orders; the model got a note that it is data'

export function noteOf(
  trace: CompressionTrace | undefined,
  {
    isMarked,
    textFrom,
    sentSecret,
    inserted,
  }: Pick<ToolOutcome, 'isMarked' | 'textFrom' | 'sentSecret' | 'inserted'>,
): string | undefined {
  if (!trace && !isMarked && !textFrom && !sentSecret && !inserted) return undefined
  const escalation = trace?.escalation === undefined ? [] : [`${ESCALATED} ${trace.escalation}x`]
  const budget = trace?.budgetStep === undefined ? [] : [`budget: ${trace.budgetStep}`]
  const own = trace?.skipped ?? [...escalation, ...budget, ...(trace?.note ? [trace.note] : [])].join('; ')
  const flow = textFrom ? [`sent text of ${textFrom.server} (${textFrom.tool})`] : []
  const secret = sentSecret ? ['sent what looks like a key or password'] : []
  const kept = inserted ? [`sent ${inserted.join(', ').slice(0, 200)}`] : []
  return (
    [own, ...(isMarked ? [MARKED] : []), ...kept, ...secret, ...flow]
      .filter((part) => part !== '')
      .join('; ') || undefined
  )
}

function ownParameterTokens(call: ToolCall, countTokens: (text: string) => number): number {
  const { arguments: args = {} } = call
  const own = Object.keys(args)
    .filter((name) => name.startsWith(OWN_PREFIX))
    .map((name) => [name, args[name]])
  return own.length === 0 ? 0 : countTokens(JSON.stringify(Object.fromEntries(own)))
}
