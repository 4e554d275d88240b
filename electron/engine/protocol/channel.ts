import type { JsonRpcMessage, RequestId } from './json-rpc.ts'

export interface SendOptions {
  /** The request this message belongs to: HTTP transports answer it on that request's own stream. */
  relatedRequestId?: RequestId
}

/** Where a received message came in, as far as the transport can tell. */
export interface MessageOrigin {
  /** The request of ours on whose own stream it came (Streamable HTTP). */
  relatedRequestId?: RequestId
}

/**
 * One two-way stream of JSON-RPC messages. The SDK's transports have this shape, so they plug in as they are.
 * `onclose` is called exactly once; after it nothing is delivered and `send` rejects.
 */
export interface MessageChannel {
  start(): Promise<void>
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: JsonRpcMessage, origin?: MessageOrigin) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}
