import type { JSONRPCMessage, SSEClientTransport } from '@modelcontextprotocol/client'
import type { MessageChannel } from '../../protocol/channel.ts'
import { forTransport } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage } from '../../protocol/json-rpc.ts'
import { isResult } from '../../protocol/json-rpc.ts'
import { withinTime } from './within-time.ts'

export interface SseChannelOptions {
  readonly transport: SSEClientTransport
  /** Rather than failed or unreadable messages. */
  readonly isStreamError: (error: Error) => boolean
  /** Replaces placeholders by large answers. */
  readonly restore: (message: JsonRpcMessage) => JsonRpcMessage
}

const ENDPOINT_MS = 10_000

/**
 * Deprecated HTTP+SSE. The SDK would reconnect to an empty session, so the channel ends with its stream and the next
 * request opens a new one.
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
