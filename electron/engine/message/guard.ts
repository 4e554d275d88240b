import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import type { Interceptor } from './call.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

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
