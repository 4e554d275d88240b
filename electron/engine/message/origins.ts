import type { JsonObject } from '../protocol/json-rpc.ts'

/** Who said something, and to which session of whom. */
export interface SaidBy {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
}

/** A result that is not a tool's but may reach the model all the same: whatever it is, it is guarded and masked. */
export interface ContentOrigin {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  readonly method: string
  /** The resource's URI, as the client wrote it, or the prompt's name; empty for other methods. */
  readonly name: string
}

/** Asks a server for what is not a tool result, and guards, masks and compresses it on both ways. */
export type TreatContent = (
  params: JsonObject | undefined,
  origin: ContentOrigin,
  ask: (params: JsonObject | undefined) => Promise<JsonObject>,
) => Promise<JsonObject>
