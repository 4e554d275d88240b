import type { Policy } from '../../../shared/settings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Interceptor } from './call.ts'
import type { ContentOrigin, Failed, MessageOrigin } from './origins.ts'

/** A request that is no tool call (resources/read, prompts/get, completion/complete, unknown ones). Immutable, as a call is. */
export interface Read extends ContentOrigin {
  readonly params: JsonObject | undefined
  readonly policy: Policy
}
export type AskServer = (read: Read) => Promise<JsonObject>

/** What a server sends beside its answers: progress, log messages, updates. */
export interface Notification {
  readonly origin: MessageOrigin
  readonly params: JsonObject
  readonly policy: Policy
}
export type Deliver = (notification: Notification) => void

/** A request of a server to its client (sampling, elicitation, roots). */
export interface Question {
  readonly origin: MessageOrigin
  readonly method: string
  readonly params: JsonObject | undefined
  readonly policy: Policy
}
export type AskClient = (question: Question) => Promise<JsonObject>

/**
 * One layer between client and server, for the kinds of messages that it works for. `next` is the layer inside for what a
 * client sends, and the layer outside for what a server sends by itself.
 */
export interface Layer {
  readonly call?: Interceptor
  readonly read?: (next: AskServer) => AskServer
  readonly notification?: (next: Deliver) => Deliver
  readonly question?: (next: AskClient) => AskClient
  /** The error of any request, as it may reach the client. */
  readonly error?: (error: unknown, of: Failed) => Promise<unknown>
}
