import type { Policy } from '../../../shared/policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Interceptor } from './call.ts'
import type { ContentOrigin, Failed, MessageOrigin } from './origins.ts'

/** Such as resources/read, prompts/get, completion/complete. Immutable. */
export interface Read extends ContentOrigin {
  readonly params: JsonObject | undefined
  readonly policy: Policy
  /** Of a budget that made its result shorter. */
  readonly budgetStep?: string
}
export type AskServer = (read: Read) => Promise<JsonObject>

/**
 * Progress, log messages, updates.
 *
 * @public
 */
export interface Notification {
  readonly origin: MessageOrigin
  readonly params: JsonObject
  readonly policy: Policy
}
export type Deliver = (notification: Notification) => void

/**
 * A server's request to its client (sampling, elicitation, roots).
 *
 * @public
 */
export interface Question {
  readonly origin: MessageOrigin
  readonly method: string
  readonly params: JsonObject | undefined
  readonly policy: Policy
}
export type AskClient = (question: Question) => Promise<JsonObject>

/** `next`: the inner layer for client messages, the outer one for server messages. */
export interface Layer {
  readonly call?: Interceptor
  readonly read?: (next: AskServer) => AskServer
  readonly notification?: (next: Deliver) => Deliver
  readonly question?: (next: AskClient) => AskClient
  /** For the client. */
  readonly error?: (error: unknown, of: Failed) => Promise<unknown>
}
