import type { JSONRPCMessage, SSEClientTransport } from '@modelcontextprotocol/client'
import type { MessageChannel } from '../../protocol/channel.ts'
import { forTransport } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage } from '../../protocol/json-rpc.ts'
import { isResult } from '../../protocol/json-rpc.ts'
import { withinTime } from './within-time.ts'

export interface SseChannelOptions {
  readonly transport: SSEClientTransport
  /** Tells trouble with the event stream from a message that could not be posted or read. */
  readonly isStreamError: (error: Error) => boolean
  /** Puts large answers back in the place of their stand-ins. */
  readonly restore: (message: JsonRpcMessage) => JsonRpcMessage
}

/** A stream that says nothing at first is not one of MCP. */
const ENDPOINT_MS = 10_000

/**
 * MCP over the deprecated HTTP+SSE. The session lives and dies with the event stream: when that breaks, the SDK would
 * reconnect to a session that knows nothing, so the channel ends instead and the next request opens a fresh one.
 */
export class SseChannel implements MessageChannel {
  onmessage?: MessageChannel['onmessage']
  onclose?: MessageChannel['onclose']
  onerror?: MessageChannel['onerror']
  readonly #options: SseChannelOptions
  #isClosed = false

  constructor(options: SseChannelOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { transport, isStreamError } = this.#options
    transport.onmessage = (message) => this.#receive(message)
    transport.onclose = () => this.#closed()
    await withinTime(transport.start(), ENDPOINT_MS, 'The server did not say where to post messages.').catch(
      async (error: unknown) => {
        await transport.close()
        throw error
      },
    )
    transport.onerror = (error) => {
      this.onerror?.(error)
      if (isStreamError(error)) void this.close()
    }
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.')
    // The same values on the wire: the SDK's type only names some fields that ours leaves open.
    await this.#options.transport.send(forTransport(message) as JSONRPCMessage)
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.#options.transport.close()
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#isClosed) return
    const restored = this.#options.restore(message)
    if (isResult(restored) && typeof restored.result['protocolVersion'] === 'string')
      this.#options.transport.setProtocolVersion(restored.result['protocolVersion'])
    this.onmessage?.(restored)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}
