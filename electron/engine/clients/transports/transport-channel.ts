import type { MessageChannel, SendOptions } from '../../protocol/channel.ts'
import { forTransport } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage } from '../../protocol/json-rpc.ts'
import { checkDepth } from '../../protocol/too-deep.ts'
import type { StandIns } from '../../protocol/stand-ins.ts'

/** The common shape of both SDK generations' transports. */
interface SdkTransport<Message> {
  start(): Promise<void>
  send(message: Message, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: Message) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}

/**
 * An SDK transport as a channel with `standIns` for incoming messages. The SDK's types are narrower than the
 * messages, and some transports call `onclose` twice.
 */
export function transportChannel<Message>(
  transport: SdkTransport<Message>,
  standIns: StandIns,
): MessageChannel {
  const state = { closed: false }
  const channel: MessageChannel = {
    start: () => transport.start(),
    // The SDK's types name its messages; the JSON is the same.
    send: async (message, options) => {
      if (state.closed) throw new Error('The connection is closed.')
      checkDepth(message)
      await transport.send(forTransport(message) as Message, options)
    },
    close: () => transport.close(),
  }
  transport.onmessage = (message) => {
    if (!state.closed) channel.onmessage?.(standIns.restore(message as JsonRpcMessage))
  }
  transport.onerror = (error) => channel.onerror?.(error)
  transport.onclose = () => {
    if (state.closed) return
    state.closed = true
    channel.onclose?.()
  }
  return channel
}
