import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Interceptor } from '../message/call.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { NewQuarantined, Quarantined } from './quarantine-store.ts'
import type { RevealOptions } from './reveal-result.ts'
import type { ScanVerdict } from './judge.ts'
import type { PlacedText } from './texts-in.ts'

export interface GuardOptions extends RevealOptions {
  /** One verdict on all these texts together, from every detector; never rejects for a detector that failed. */
  readonly scan: (texts: readonly PlacedText[], threshold: number) => ScanVerdict | Promise<ScanVerdict>
  /** The same on the spot, by the built-in detectors alone; throws where they fail. */
  readonly scanNow: (texts: readonly PlacedText[], threshold: number) => ScanVerdict
  /** Runs `then` once `scanNow` can work, or will not come to it: at once if possible, and in the order of the calls. */
  readonly whenLoaded: (then: () => void) => void
  readonly quarantine: (entry: NewQuarantined) => Promise<Quarantined>
  /** Told of every attack that was found, and of what could not be scanned, whatever the policy does with it. */
  readonly onAttack: (attack: AttackFound) => void
  readonly logger: Logger
  /** Characters of the largest result that is scanned whole. */
  readonly scannedWhole?: number
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
  /** Set where nothing was found because nobody could look: no attack is claimed then. */
  readonly isUnscanned?: boolean
}

/** Where a text that goes to a client comes from. */
export interface GuardedOrigin {
  readonly clientName: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
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
  guardExplored(value: JsonObject, origin: GuardedOrigin, policy: GuardPolicy): Promise<JsonObject>
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
