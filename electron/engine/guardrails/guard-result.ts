import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Interceptor, ToolCall, ToolOutcome } from '../call.ts'
import { messageOf, SluiceError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { RpcError, type JsonObject } from '../protocol/json-rpc.ts'
import { cleanValue } from './clean-value.ts'
import type { ControlCharacterMode } from './control-characters.ts'
import type { Finding } from './detector.ts'
import { guardSaid } from './guard-said.ts'
import type { NewQuarantined, Quarantined } from './quarantine-store.ts'
import { resultTexts } from './result-texts.ts'
import type { ScanVerdict } from './judge.ts'
import { textsIn, type PlacedText } from './texts-in.ts'

export interface GuardOptions {
  /** One verdict on all these texts together, from every detector; never rejects for a detector that failed. */
  readonly scan: (texts: readonly PlacedText[], threshold: number) => ScanVerdict | Promise<ScanVerdict>
  /** The same on the spot, by the built-in detectors alone; throws where they fail. */
  readonly scanNow: (texts: readonly PlacedText[], threshold: number) => ScanVerdict
  /** `cleanValue` in another thread, for results over the size that is scanned whole. */
  readonly cleanLarge: (value: JsonObject, mode: ControlCharacterMode) => Promise<JsonObject>
  /** Runs `then` once `scanNow` can work, or will not come to it: at once if possible, and in the order of the calls. */
  readonly whenLoaded: (then: () => void) => void
  readonly quarantine: (entry: NewQuarantined) => Promise<Quarantined>
  /** Told of every attack that was found, whatever the policy does with it. */
  readonly onAttack: (attack: AttackFound) => void
  readonly logger: Logger
}

export interface AttackFound {
  /** `said`: beside a result, as a log line or progress. */
  readonly where: 'arguments' | 'result' | 'said' | 'question'
  readonly client: string
  readonly server: string
  readonly tool: string
  readonly score: number
  readonly reasons: readonly string[]
  readonly quarantineId: string | undefined
}

/** Where a text that goes to a client comes from. */
export interface GuardedOrigin {
  readonly clientName: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
}

/**
 * Longer results are not scanned whole: that would take tens of seconds. What is left of them after shortening, and
 * everything that is fetched of them later, is scanned before it leaves.
 */
const SCANNED_WHOLE = 4_000_000
const SAMPLING = 'sampling/createMessage'
/** Instructions to a model are what sampling is for: only what can hardly be anything else counts as an attack. */
const SAMPLING_THRESHOLD = 0.9
/** A hostile text can give rise to as many findings as it has words. */
const MOST_FINDINGS = 100

export interface Guard {
  /** Scans arguments on the way in, results and errors on the way out. */
  readonly guardResult: Interceptor
  /** Outside of compression: scans what is left of results that were too large to be scanned whole. */
  readonly guardShortened: Interceptor
  /** The same for what is no tool's result. Gives the cleaned value; throws CALL_REFUSED for what is kept back. */
  guardContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** Delivers log lines and progress, in order; what must not pass is replaced by a message that says so. */
  guardSaid(
    said: JsonObject,
    origin: Pick<GuardedOrigin, 'clientName' | 'serverId'>,
    policy: GuardPolicy,
    deliver: (shown: JsonObject) => void,
  ): void
  /** A server's question to its client, cleaned. Throws CALL_REFUSED, in words for the server, where it must not be asked. */
  guardQuestion(params: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** Runs a request that is no tool call; the words of its errors are guarded like a result. */
  guardErrors<Result>(
    request: () => Promise<Result>,
    origin: GuardedOrigin,
    policy: GuardPolicy,
  ): Promise<Result>
}

/** Fails closed: what could not be scanned does not pass. */
export function createGuard(options: GuardOptions): Guard {
  const guardResult: Interceptor = (next) =>
    async function guardResult(call) {
      const policy = call.policy.guard
      const refusal = await checkArguments(options, call)
      if (refusal) return refusal
      try {
        const outcome = await next(call)
        if (policy.results === 'off') return { ...outcome, result: clean(outcome.result, policy) }
        const texts = resultTexts(outcome.result)
        if (sizeOf(texts) > SCANNED_WHOLE)
          return {
            ...outcome,
            result: await options.cleanLarge(outcome.result, policy.controlCharacters),
            tooLargeToScan: true,
          }
        return await inspect(options, outcome, call, texts)
      } catch (error) {
        if (call.signal.aborted || isRefusal(error)) throw error
        const kept = await examine(options, asResult(error), call, policy)
        if (kept) return keptOutcome(kept.id)
        throw cleanError(error, policy)
      }
    }
  const guardShortened: Interceptor = (next) =>
    async function guardShortened(call) {
      const outcome = await next(call)
      // A stored original that is asked for again was perhaps too large when it came, or came under another policy.
      const isStored = call.bypass && outcome.compression !== undefined
      return outcome.tooLargeToScan || isStored ? inspect(options, outcome, call) : outcome
    }
  return {
    guardResult,
    guardShortened,
    guardContent: async (value, origin, policy) => {
      const kept = await examine(options, value, origin, policy)
      if (kept) throw new SluiceError('CALL_REFUSED', keptBack(kept.id), { data: { quarantineId: kept.id } })
      return clean(value, policy)
    },
    guardSaid: (said, origin, policy, deliver) => guardSaid(options, said, origin, policy, deliver),
    guardQuestion: async (params, origin, policy) => {
      const threshold =
        origin.tool === SAMPLING ? Math.max(policy.threshold, SAMPLING_THRESHOLD) : policy.threshold
      const kept = await examine(options, params, origin, { ...policy, threshold }, { where: 'question' })
      // The server learns neither why nor that there is a way.
      if (kept) throw new SluiceError('CALL_REFUSED', 'The question was not passed on to the client.')
      return clean(params, policy)
    },
    guardErrors: async (request, origin, policy) => {
      try {
        return await request()
      } catch (error) {
        if (isRefusal(error)) throw error
        const kept = await examine(options, asResult(error), origin, policy)
        if (kept)
          throw new SluiceError('CALL_REFUSED', keptBack(kept.id), { data: { quarantineId: kept.id } })
        throw cleanError(error, policy)
      }
    },
  }
}

async function inspect(
  options: GuardOptions,
  outcome: ToolOutcome,
  call: ToolCall,
  texts?: readonly PlacedText[],
): Promise<ToolOutcome> {
  const policy = call.policy.guard
  const kept = await examine(options, outcome.result, call, policy, { texts })
  return kept ? keptOutcome(kept.id) : { ...outcome, result: clean(outcome.result, policy) }
}

/** The quarantined entry of a value that must not pass; undefined where it may. */
async function examine(
  options: GuardOptions,
  value: JsonObject,
  origin: GuardedOrigin,
  policy: GuardPolicy,
  /** `texts`: those of the value, where they are known. */
  {
    where = 'result',
    texts,
  }: { where?: 'result' | 'question'; texts?: readonly PlacedText[] | undefined } = {},
): Promise<Quarantined | undefined> {
  if (policy.results === 'off') return undefined
  const { clientName: client, serverId: server, tool } = origin
  try {
    const verdict = await options.scan(texts ?? resultTexts(value), policy.threshold)
    if (verdict.verdict === 'benign') return undefined
    const kept =
      policy.results === 'quarantine'
        ? await options.quarantine({
            owner: client,
            server,
            tool,
            arguments: origin.arguments,
            findings: strongest(verdict.findings),
            result: value,
          })
        : undefined
    const { score, reasons } = verdict
    options.onAttack({ where, client, server, tool, score, reasons, quarantineId: kept?.id })
    return kept
  } catch (error) {
    const what = where === 'question' ? 'A question of the server' : `The result of ${tool}`
    throw unchecked(options, error, origin, what, 'handed on')
  }
}

async function checkArguments(options: GuardOptions, call: ToolCall): Promise<ToolOutcome | undefined> {
  const policy = call.policy.guard
  if (policy.arguments === 'off' || call.arguments === undefined) return undefined
  const { clientName: client, serverId: server, tool } = call
  try {
    const { score, reasons, verdict } = await options.scan(textsIn(call.arguments), policy.threshold)
    if (verdict === 'benign') return undefined
    options.onAttack({ where: 'arguments', client, server, tool, score, reasons, quarantineId: undefined })
  } catch (error) {
    throw unchecked(options, error, call, `What you send to ${tool}`, 'sent')
  }
  if (policy.arguments !== 'refuse') return undefined
  const text = `Sluice did not make this call: its arguments look like instructions to a model. The user can change "guard.arguments" for ${server} if that is meant.`
  return refusedOutcome(text)
}

/** Logs what went wrong in guarding, and gives the refusal that the client gets. */
function unchecked(
  { logger }: GuardOptions,
  error: unknown,
  { serverId, tool }: GuardedOrigin,
  what: string,
  done: string,
): SluiceError {
  const why = messageOf(error)
  logger.error('A text could not be checked, so it does not pass.', { server: serverId, tool, cause: why })
  return new SluiceError(
    'CALL_REFUSED',
    `${what} could not be checked (${why}), so it was not ${done}. Try again; the log has more.`,
    { cause: error },
  )
}

/** Neutral on purpose: it names no rule, no word that was found, and no way around. */
const keptBack = (id: string): string =>
  `Sluice kept this result back (${id}) until the user has looked at it. When the user says that it was released, quarantine_release hands it over.`

const keptOutcome = (id: string): ToolOutcome => {
  const { result, ...outcome } = refusedOutcome(keptBack(id))
  return { ...outcome, result: { ...result, _meta: { 'sluice/quarantine': { id } } }, quarantineId: id }
}

const refusedOutcome = (text: string): ToolOutcome => ({
  result: { content: [{ type: 'text', text }], isError: true },
  refusedBy: 'guard-result',
})

/** Words of Sluice itself. Any other error may quote what a server said, on its stderr for example. */
const isRefusal = (error: unknown): boolean => error instanceof SluiceError && error.code === 'CALL_REFUSED'

const asResult = (error: unknown): JsonObject => ({
  error:
    error instanceof RpcError
      ? { code: error.code, message: error.message, data: error.data }
      : { message: messageOf(error) },
})

function cleanError(error: unknown, { controlCharacters: mode }: GuardPolicy): unknown {
  if (!(error instanceof Error)) return error
  const message = String(cleanValue(error.message, mode))
  if (error instanceof RpcError) return new RpcError(error.code, message, cleanValue(error.data, mode))
  if (message === error.message) return error
  const options = { cause: error }
  return error instanceof SluiceError
    ? new SluiceError(error.code, message, { ...options, data: { ...error.data } })
    : new Error(message, options)
}

const sizeOf = (texts: readonly PlacedText[]): number => texts.reduce((sum, { text }) => sum + text.length, 0)

const strongest = (findings: readonly Finding[]): Finding[] =>
  findings.length <= MOST_FINDINGS
    ? [...findings]
    : [...findings].sort((a, b) => b.score - a.score).slice(0, MOST_FINDINGS)

const clean = (value: JsonObject, policy: GuardPolicy): JsonObject =>
  cleanValue(value, policy.controlCharacters) as JsonObject
