import type { JsonRpcMessage, RequestId } from './json-rpc.ts'

export interface SendOptions {
  /** HTTP transports use this request's stream. */
  relatedRequestId?: RequestId
}

export interface MessageOrigin {
  relatedRequestId?: RequestId
}

/** Shaped like the SDK's transports. Calls `onclose` exactly once; afterwards delivers nothing, and `send` rejects. */
export interface MessageChannel {
  start(): Promise<void>
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: JsonRpcMessage, origin?: MessageOrigin) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}
