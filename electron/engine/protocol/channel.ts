import type { JsonRpcMessage, RequestId } from './json-rpc.ts'

export interface SendOptions {
  /** The request that this message belongs to: HTTP transports use that request's stream. */
  relatedRequestId?: RequestId
}

/** Where a message came in, as far as the transport knows. */
export interface MessageOrigin {
  /** Our request on whose stream it came (Streamable HTTP). */
  relatedRequestId?: RequestId
}

/**
 * A two-way stream of JSON-RPC messages, in the shape of the SDK's transports. Calls `onclose` exactly once;
 * afterwards delivers nothing, and `send` rejects.
 */
export interface MessageChannel {
  start(): Promise<void>
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: JsonRpcMessage, origin?: MessageOrigin) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}
