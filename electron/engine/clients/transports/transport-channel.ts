import type { MessageChannel, SendOptions } from '../../protocol/channel.ts'
import { forTransport } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage } from '../../protocol/json-rpc.ts'
import { checkDepth } from '../../protocol/too-deep.ts'
import type { PlaceholderMessages } from '../../protocol/placeholder-messages.ts'

/** Common shape of both SDK generations. */
interface SdkTransport<Message> {
  start(): Promise<void>
  send(message: Message, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: Message) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
}

/** `standIns` come as incoming messages. The SDK's types are narrower, and some transports call `onclose` twice. */
export function transportChannel<Message>(
  transport: SdkTransport<Message>,
  placeholders: PlaceholderMessages,
): MessageChannel {
  const state = { closed: false }
  const channel: MessageChannel = {
    start: () => transport.start(),
    send: async (message, options) => {
      if (state.closed) throw new Error('The connection is closed.')
      checkDepth(message)
      await transport.send(forTransport(message) as Message, options)
    },
    close: () => transport.close(),
  }
  transport.onmessage = (message) => {
    if (!state.closed) channel.onmessage?.(placeholders.restore(message as JsonRpcMessage))
  }
  transport.onerror = (error) => channel.onerror?.(error)
  transport.onclose = () => {
    if (state.closed) return
    state.closed = true
    channel.onclose?.()
  }
  return channel
}
