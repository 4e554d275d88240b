import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { StreamChannel } from '../../../electron/engine/downstream/stream-channel.ts'
import { RpcPeer } from '../../../electron/engine/protocol/peer.ts'

/** A connection through this machine's network, whose reader has stopped reading. */
async function socketsThatNobodyReads(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = await accepted
  onTestFinished(() => {
    far.destroy()
    near.destroy()
    server.close()
  })
  return { near, far: far.pause() }
}

it('a flood of notifications for a client that does not read fills no memory, and loses no change of a list', async () => {
  const { near, far } = await socketsThatNobodyReads()
  const channel = new StreamChannel({ input: new PassThrough(), output: near, maxMessageBytes: 1_000_000 })
  const said: string[] = []
  const peer = new RpcPeer(channel, {
    onRequest: async () => ({}),
    onNotification: () => {},
    onError: (error) => said.push(error.message),
  })
  await peer.start()
  const data = 'x'.repeat(1000)
  for (let index = 0; index < 50_000; index++) void peer.notify('notifications/message', { index, data })
  void peer.notify('notifications/tools/list_changed')
  // Without a bound, 50 MB.
  expect(near.writableLength).toBeLessThan(3_000_000)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('log messages and progress are left out')

  const read: unknown[] = []
  createInterface({ input: far }).on('line', (line) =>
    read.push((JSON.parse(line) as { method: string }).method),
  )
  await vi.waitFor(() => expect(read.at(-1)).toBe('notifications/tools/list_changed'))
  expect(read.length).toBeLessThan(2000)
  await peer.notify('notifications/message', { data: 'heard again' })
  await vi.waitFor(() => expect(read.at(-1)).toBe('notifications/message'))
  await peer.close()
})
