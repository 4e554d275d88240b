import type { Policy } from '../../../shared/settings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

/** Which server sends, and to which session of whom. */
export interface MessageOrigin {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
}

/** Origin of a result that is no tool's. It may reach the model all the same. */
export interface ContentOrigin extends MessageOrigin {
  readonly method: string
  /** The resource's URI, as the client wrote it, or the prompt's name; empty for other methods. */
  readonly name: string
}

/** Where a text that goes to a client comes from. */
export interface GuardedOrigin {
  readonly clientName: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
}

/** A request that failed. */
export interface Failed {
  readonly clientName: string
  /** Empty for several servers. */
  readonly serverId: string
  readonly method: string
  readonly policy: Policy
}
