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
    /** Under any policy. */
    'attack-found': AttackFound
  }
}

export interface GuardOptions extends RevealOptions {
  /** Never rejects for a failed detector. */
  readonly scan: (texts: readonly PlacedText[], threshold: number) => ScanVerdict | Promise<ScanVerdict>
  readonly scanResult: (
    value: JsonObject,
    threshold: number,
    most: number,
  ) => JudgedResult | Promise<JudgedResult>
  /** Built-in detectors only; throws on failure. */
  readonly scanNow: (texts: readonly PlacedText[], threshold: number) => ScanVerdict
  /** Runs `then` once `scanNow` works or failed to load, in call order. */
  readonly whenLoaded: (then: () => void) => void
  readonly quarantine: (entry: NewQuarantined) => Promise<Quarantined>
  /** For attacks and unscanned content, under any policy. */
  readonly onAttack: (attack: AttackFound) => void
  readonly logger: Logger
  readonly scannedWhole?: number
}

export interface JudgedResult {
  readonly verdict: ScanVerdict | undefined
  readonly unreadable: readonly string[]
}

export interface AttackFound {
  /** `said`: a log line or progress. */
  readonly where: 'arguments' | 'result' | 'said' | 'question'
  readonly client: string
  readonly server: string
  readonly tool: string
  readonly score: number
  readonly reasons: readonly string[]
  readonly quarantineId: string | undefined
  readonly isUnscanned?: boolean
}

export interface Guard {
  /** Scans arguments, results and errors. */
  readonly guardResult: Interceptor
  /** Outside of compression: scans results that were too large to scan whole, and shows hidden text. */
  readonly guardShortened: Interceptor
  /** Throws CALL_REFUSED for quarantined content. */
  guardContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  /** Last step for such content: shows hidden text, and keeps the original if changed. */
  showContent(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): JsonObject | Promise<JsonObject>
  readonly guardExplored: (
    value: JsonObject,
    origin: GuardedOrigin,
    policy: GuardPolicy,
  ) => Promise<JsonObject>
  /** In order; blocked ones are replaced by a notice. */
  guardNotification(
    notification: JsonObject,
    origin: Pick<GuardedOrigin, 'clientName' | 'serverId'>,
    policy: GuardPolicy,
    deliver: (shown: JsonObject) => void,
  ): void
  /** Throws CALL_REFUSED, worded for the server. */
  guardQuestion(params: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
  guardError(error: unknown, origin: GuardedOrigin, policy: GuardPolicy): Promise<unknown>
}
