import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Interceptor, ToolCall, ToolOutcome } from '../call.ts'
import { messageOf, SluiceError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { cleanValue } from './clean-value.ts'
import type { Finding } from './detector.ts'
import type { NewQuarantined, Quarantined } from './quarantine-store.ts'
import type { ScanVerdict } from './scan-text.ts'
import { textsIn } from './texts-in.ts'

export interface GuardOptions {
  /** One verdict on all these texts together, from every detector; never rejects for a detector that failed. */
  scan(texts: readonly string[], threshold: number): Promise<ScanVerdict>
  quarantine(entry: NewQuarantined): Promise<Quarantined>
  /** Told of every attack that was found, whatever the policy does with it. */
  onAttack(attack: AttackFound): void
  readonly logger: Logger
}

export interface AttackFound {
  readonly where: 'arguments' | 'result'
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

export interface Guard {
  /** Scans arguments on the way in, and results on the way out. */
  readonly guardResult: Interceptor
  /** Outside of compression: scans what is left of results that were too large to be scanned whole. */
  readonly guardShortened: Interceptor
  /** The same for what is no tool's result. Returns the cleaned value; throws CALL_REFUSED for what is kept back. */
  guardContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
}

/** Fails closed: what could not be scanned does not pass. */
export function createGuard(options: GuardOptions): Guard {
  const guardResult: Interceptor = (next) =>
    async function guardResult(call) {
      const policy = call.policy.guard
      const refusal = await checkArguments(options, call)
      if (refusal) return refusal
      const outcome = await next(call)
      const size = policy.results === 'off' ? 0 : textLength(outcome.result)
      if (size > SCANNED_WHOLE)
        return { ...outcome, result: clean(outcome.result, policy), tooLargeToScan: true }
      return inspect(options, outcome, call)
    }
  const guardShortened: Interceptor = (next) =>
    async function guardShortened(call) {
      const outcome = await next(call)
      return outcome.tooLargeToScan ? inspect(options, outcome, call) : outcome
    }
  return {
    guardResult,
    guardShortened,
    guardContent: async (value, origin, policy) => {
      const kept = await examine(options, value, origin, policy)
      if (kept) throw new SluiceError('CALL_REFUSED', keptBack(kept.id), { data: { quarantineId: kept.id } })
      return clean(value, policy)
    },
  }
}

async function inspect(options: GuardOptions, outcome: ToolOutcome, call: ToolCall): Promise<ToolOutcome> {
  const policy = call.policy.guard
  const kept = await examine(options, outcome.result, call, policy)
  if (!kept) return { ...outcome, result: clean(outcome.result, policy) }
  return {
    result: { content: [{ type: 'text', text: keptBack(kept.id) }], isError: true },
    refusedBy: 'guard-result',
    quarantineId: kept.id,
  }
}

/** The quarantined entry of a value that must not pass; undefined where it may. */
async function examine(
  options: GuardOptions,
  value: JsonObject,
  origin: GuardedOrigin,
  policy: GuardPolicy,
): Promise<Quarantined | undefined> {
  if (policy.results === 'off') return undefined
  const { clientName: client, serverId: server, tool } = origin
  try {
    const verdict = await options.scan(scannedTexts(value), policy.threshold)
    if (verdict.verdict === 'benign') return undefined
    const kept =
      policy.results === 'quarantine'
        ? await options.quarantine({
            owner: client,
            server,
            tool,
            arguments: origin.arguments,
            findings: verdict.findings,
            result: value,
          })
        : undefined
    const { score, reasons } = verdict
    options.onAttack({ where: 'result', client, server, tool, score, reasons, quarantineId: kept?.id })
    return kept
  } catch (error) {
    options.logger.error('A result could not be checked, so it does not pass.', {
      server,
      tool,
      cause: messageOf(error),
    })
    throw new SluiceError(
      'CALL_REFUSED',
      `The result of ${tool} could not be checked (${messageOf(error)}), so it was not handed on. Try again; the log has more.`,
      { cause: error },
    )
  }
}

async function checkArguments(options: GuardOptions, call: ToolCall): Promise<ToolOutcome | undefined> {
  const policy = call.policy.guard
  if (policy.arguments === 'off' || call.arguments === undefined) return undefined
  const { score, reasons, verdict } = await options.scan(
    textsIn(call.arguments).map(({ text }) => text),
    policy.threshold,
  )
  if (verdict === 'benign') return undefined
  const { clientName: client, serverId: server, tool } = call
  options.onAttack({ where: 'arguments', client, server, tool, score, reasons, quarantineId: undefined })
  if (policy.arguments !== 'refuse') return undefined
  const text = `Sluice did not make this call: its arguments look like instructions to a model. The user can change "guard.arguments" for ${server} if that is meant.`
  return { result: { content: [{ type: 'text', text }], isError: true }, refusedBy: 'guard-result' }
}

/** Neutral on purpose: it names no rule, no word that was found, and no way around. */
const keptBack = (id: string): string =>
  `Sluice kept this result back (${id}) until the user has looked at it. When the user says that it was released, quarantine_release hands it over.`

/** Every text that a model may read: keys that read like prose too, but no pictures or sound. */
function scannedTexts(result: JsonObject): string[] {
  const { _meta, ...shown } = result
  return textsIn(withoutPayloads(shown)).map(({ text }) => text)
}

function withoutPayloads(value: JsonObject): JsonObject {
  const blocks = (list: unknown): unknown =>
    Array.isArray(list)
      ? list.map((block: unknown) => (isJsonObject(block) ? withoutPayload(block) : block))
      : list
  return {
    ...value,
    ...('content' in value ? { content: blocks(value['content']) } : {}),
    ...('contents' in value ? { contents: blocks(value['contents']) } : {}),
  }
}

function withoutPayload(block: JsonObject): JsonObject {
  const { data: _data, blob: _blob, ...rest } = block
  return isJsonObject(rest['resource']) ? { ...rest, resource: withoutPayload(rest['resource']) } : rest
}

function textLength(result: JsonObject): number {
  return scannedTexts(result).reduce((sum, text) => sum + text.length, 0)
}

const clean = (value: JsonObject, policy: GuardPolicy): JsonObject =>
  cleanValue(value, policy.controlCharacters) as JsonObject

/** For the log and the screens: what was found, the strongest first. */
export const reasonsOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ reason }) => reason)),
]
