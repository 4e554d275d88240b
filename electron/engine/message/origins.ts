import type { Policy } from '../../../shared/policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

export interface MessageOrigin {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
}

export interface ContentOrigin extends MessageOrigin {
  readonly method: string
  readonly name: string
}

export interface GuardedOrigin {
  readonly clientName: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
}

export interface Failed {
  readonly clientName: string
  /** Empty for several servers. */
  readonly serverId: string
  readonly method: string
  readonly policy: Policy
}
