import type { Readable, Writable } from 'node:stream'
import { StreamChannel } from '../../electron/engine/downstream/stream-channel.ts'
import { RpcPeer } from '../../electron/engine/protocol/peer.ts'

/** A client that has introduced itself over this pair of streams. */
export async function introduced(input: Readable, output: Writable): Promise<RpcPeer> {
  const peer = new RpcPeer(new StreamChannel({ input, output, maxMessageBytes: 100_000_000 }), {
    onRequest: () => Promise.reject(new Error('Not expected.')),
    onNotification: () => {},
  })
  await peer.start()
  const clientInfo = { name: 'load', version: '1' }
  await peer.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  await peer.notify('notifications/initialized')
  return peer
}
