import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Interceptor } from '../message/call.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Logger } from '../ground/logger.ts'
import type { NewQuarantined, Quarantined } from './quarantine-store.ts'
import type { RevealOptions } from './reveal-result.ts'
import type { ScanVerdict } from './judge.ts'
import type { PlacedText } from './texts-in.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** A detector found an attack, whatever the policy then did. */
    'attack-found': AttackFound
  }
}

export interface GuardOptions extends RevealOptions {
  /** One verdict on all texts from every detector; never rejects for a failed detector. */
  readonly scan: (texts: readonly PlacedText[], threshold: number) => ScanVerdict | Promise<ScanVerdict>
  /** The same for all texts of a result; no verdict where these have more than `most` characters. */
  readonly scanResult: (value: JsonObject, threshold: number, most: number) => Promise<JudgedResult>
  /** Synchronous, built-in detectors only; throws on failure. */
  readonly scanNow: (texts: readonly PlacedText[], threshold: number) => ScanVerdict
  /** Runs `then` once `scanNow` works or has failed to load: at once if possible, in call order. */
  readonly whenLoaded: (then: () => void) => void
  readonly quarantine: (entry: NewQuarantined) => Promise<Quarantined>
  /** Called for every attack and every unscanned content, under any policy. */
  readonly onAttack: (attack: AttackFound) => void
  readonly logger: Logger
  /** Characters of the largest result that is scanned whole. */
  readonly scannedWhole?: number
}

interface JudgedResult {
  readonly verdict: ScanVerdict | undefined
  /** What is declared as a text and can't be read, by address or name. */
  readonly unreadable: readonly string[]
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
  /** Unscanned rather than an attack. */
  readonly isUnscanned?: boolean
}

export interface Guard {
  /** Scans arguments on the way in, results and errors on the way out. */
  readonly guardResult: Interceptor
  /** Outside of compression: scans what is left of results that were too large to be scanned whole, and shows what hides. */
  readonly guardShortened: Interceptor
  /** The scan for what is no tool's result. Throws CALL_REFUSED for what is kept back. */
  guardContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** The last step for what is no tool's result: shows what hides in it, and keeps the original of what it changes. */
  showContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** Scan and showing for parts of a kept original, which needs no further original. */
  readonly guardExplored: (
    value: JsonObject,
    origin: GuardedOrigin,
    policy: GuardPolicy,
  ) => Promise<JsonObject>
  /** Delivers log lines and progress, in order; what must not pass is replaced by a message that says so. */
  guardSaid(
    said: JsonObject,
    origin: Pick<GuardedOrigin, 'clientName' | 'serverId'>,
    policy: GuardPolicy,
    deliver: (shown: JsonObject) => void,
  ): void
  /** A server's question to its client, cleaned. Throws CALL_REFUSED, in words for the server, where it must not be asked. */
  guardQuestion(params: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** The error of a request that is no tool call: its words are guarded like a result. */
  guardError(error: unknown, origin: GuardedOrigin, policy: GuardPolicy): Promise<unknown>
}
