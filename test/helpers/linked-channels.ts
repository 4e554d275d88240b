import type { MessageChannel } from '../../electron/engine/protocol/channel.ts'
import type { JsonRpcMessage } from '../../electron/engine/protocol/json-rpc.ts'

/** `sent`: what left this end, for tests of the wire. */
export interface LinkedChannel extends MessageChannel {
  readonly sent: JsonRpcMessage[]
}

export function linkedChannels(): [LinkedChannel, LinkedChannel] {
  const state = { open: true }
  const ends: LinkedChannel[] = []
  const create = (index: number): LinkedChannel => {
    const end: LinkedChannel = {
      sent: [],
      start: async () => {},
      send: async (message) => {
        if (!state.open) throw new Error('The channel is closed.')
        end.sent.push(message)
        queueMicrotask(() => {
          if (state.open) ends[1 - index]?.onmessage?.(message)
        })
      },
      close: async () => {
        if (!state.open) return
        state.open = false
        for (const one of ends) one.onclose?.()
      },
    }
    return end
  }
  const pair: [LinkedChannel, LinkedChannel] = [create(0), create(1)]
  ends.push(...pair)
  return pair
}
