import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  StreamChannel,
  type StreamChannelOptions,
} from '../../../../electron/engine/clients/transports/stream-channel.ts'
import { parsePieces } from '../../../../electron/engine/protocol/parse-pieces.ts'
import type { JsonRpcMessage } from '../../../../electron/engine/protocol/json-rpc.ts'
import { isRequest } from '../../../../electron/engine/protocol/json-rpc.ts'
import { turns } from '../../../helpers/turns.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

async function open(options: Partial<StreamChannelOptions> = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const channel = new StreamChannel({ input, output, maxMessageBytes: 1_000_000, ...options })
  const received: JsonRpcMessage[] = []
  const written: unknown[] = []
  let rest = ''
  let closed = 0
  channel.onmessage = (message) => received.push(message)
  channel.onclose = () => closed++
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    written.push(...lines.map((line): unknown => JSON.parse(line)))
  })
  await channel.start()
  const type = async (...lines: string[]): Promise<void> => {
    for (const line of lines) input.write(`${line}\n`)
    await turns()
  }
  return { channel, input, output, received, written, type, closings: () => closed }
}

const request = (id: number, method = 'ping') => JSON.stringify({ jsonrpc: '2.0', id, method })

describe('StreamChannel', () => {
  it('writes a message of very many values, and nothing of another one between its parts', async () => {
    const { channel, input, written } = await open()
    input.write(`${request(1)}\n${request(2)}\n`)
    await turns()
    const result = { content: Array.from({ length: 60_000 }, (_, at) => ({ type: 'text', text: `x${at}` })) }
    await Promise.all([
      channel.send({ jsonrpc: '2.0', id: 1, result }),
      channel.send({ jsonrpc: '2.0', id: 2, result: { content: [] } }),
    ])
    const last = channel.send({ jsonrpc: '2.0', method: 'notifications/message', params: result })
    await channel.close()
    await last
    await turns()
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, result },
      { jsonrpc: '2.0', id: 2, result: { content: [] } },
      { jsonrpc: '2.0', method: 'notifications/message', params: result },
    ])
  })

  it('writes a long text as one message like any other, and what follows behind it', async () => {
    const { channel, input, written } = await open()
    input.write(`${request(1)}\n${request(2)}\n`)
    await turns()
    // Quotes, line breaks and surrogate pairs across every piece border.
    const long = `x${'"\\\n\u{1f600}'.repeat(300_000)}`
    const result = {
      content: [
        { type: 'text', text: long },
        { type: 'text', text: 'short' },
      ],
      _meta: { a: 1 },
    }
    const sent = [
      channel.send({ jsonrpc: '2.0', id: 1, result }),
      channel.send({ jsonrpc: '2.0', id: 2, result: { content: [] } }),
    ]
    await Promise.all(sent)
    await turns()
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, result },
      { jsonrpc: '2.0', id: 2, result: { content: [] } },
    ])
  })

  it('has long messages parsed elsewhere; what comes behind waits, and all are answered after the end of the input', async () => {
    const begun: (() => void)[] = []
    const { channel, input, received, written, type, closings } = await open({
      maxMessageBytes: 10_000_000,
      graceMs: 60_000,
      parseLarge: async (pieces) => {
        await new Promise<void>((resolve) => begun.push(resolve))
        return JSON.parse(Buffer.concat(pieces).toString()) as unknown
      },
    })
    const long = { jsonrpc: '2.0', id: 1, method: 'long', params: { text: 'x'.repeat(1_100_000) } }
    const broken = `{"jsonrpc":"2.0","id":3,${'x'.repeat(1_100_000)}`
    // One chunk: all of it has been read when the input ends.
    await type([request(0), JSON.stringify(long), request(2), broken, request(4)].join('\n'))
    expect(received.map((message) => isRequest(message) && message.id)).toEqual([0])
    await channel.send({ jsonrpc: '2.0', id: 0, result: {} })
    input.destroy()
    await turns()
    for (let part = 0; part < 2; part++) {
      await waitFor(() => expect(begun).toHaveLength(part + 1))
      expect(closings()).toBe(0)
      begun[part]?.()
    }
    await waitFor(() => expect(received).toHaveLength(4))
    expect(received.map((message) => isRequest(message) && message.id)).toEqual([0, 1, 2, 4])
    expect(received[1]).toEqual(long)
    await Promise.all([1, 2, 4].map((id) => channel.send({ jsonrpc: '2.0', id, result: {} })))
    await waitFor(() => expect(closings()).toBe(1))
    expect(written).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_700, message: expect.stringContaining('Parse error') as string },
    })
  })

  it('writes a long text as it came, where that is known', async () => {
    const { channel, input, output } = await open()
    let wire = ''
    output.on('data', (chunk: Buffer) => (wire += chunk.toString()))
    input.write(`${request(1)}\n`)
    await turns()
    // No serialiser writes an A this way.
    const inside = '\\u0041'.repeat(1_100_000)
    const came = new TextEncoder().encode(
      JSON.stringify({ content: [{ type: 'text', text: '?' }] }).replace('?', inside),
    )
    const result = parsePieces([came]) as { content: { text: string }[] }
    expect(result.content[0]?.text === 'A'.repeat(1_100_000)).toBe(true)
    await channel.send({ jsonrpc: '2.0', id: 1, result })
    await turns()
    expect(
      wire === `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${inside}"}]}}\n`,
    ).toBe(true)
  })

  it('answers invalid JSON with -32700 and goes on', async () => {
    const { type, received, written } = await open()
    await type('{ not json', request(1))
    expect(written).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ])
    expect(received).toHaveLength(1)
  })

  it('answers JSON that is no message with -32600, and skips blank lines', async () => {
    const { type, received, written } = await open()
    await type(
      '42',
      '',
      '  ',
      '{"id":4,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
      '{"jsonrpc":"1.0","id":"five","method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":6,"method":"ping","params":"x"}',
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
      '{"jsonrpc":"2.0","id":8,"method":"ping","params":null}',
      '{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}',
      request(1),
    )
    const refused = (id: unknown) => ({ id, error: { code: -32600 } })
    expect(written).toMatchObject([null, 4, null, 'five', null, 6, 7].map(refused))
    // Some clients send null for a missing id or params.
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 8, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 'ping' },
    ])
  })

  it('answers a message over the limit with an error under its own id, and goes on', async () => {
    const { type, received, written } = await open({ maxMessageBytes: 10_000 })
    const params = { text: 'x'.repeat(20_000) }
    await type(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }), request(6))
    expect(written).toMatchObject([
      { id: 5, error: { code: -32600, message: expect.stringContaining('maxMessageBytes') } },
    ])
    expect(received).toMatchObject([{ id: 6 }])
  })

  it('keeps unknown fields at every level', async () => {
    const { type, received, channel, written } = await open()
    const odd = { jsonrpc: '2.0', id: 1, method: 'x/y', extra: true, params: { a: { b: [null] } } }
    await type(JSON.stringify(odd))
    expect(received).toEqual([odd])
    await channel.send({ jsonrpc: '2.0', id: 1, result: { later: { than: 'us' } } })
    await turns()
    expect(written).toEqual([{ jsonrpc: '2.0', id: 1, result: { later: { than: 'us' } } }])
  })

  it('answers a 2025-03-26 batch with one array, cancelled requests left out', async () => {
    const { type, received, channel, written } = await open()
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }
    await type(`[${request(1)},${request(2)},7,${request(3)}]`)
    expect(received.map((message) => isRequest(message) && message.id)).toEqual([1, 2, 3])
    await channel.send({ jsonrpc: '2.0', id: 2, result: { n: 2 } })
    await type(JSON.stringify(cancel))
    expect(written).toEqual([])
    await channel.send({ jsonrpc: '2.0', id: 1, result: { n: 1 } })
    await turns()
    expect(written).toMatchObject([[{ error: { code: -32600 } }, { id: 2 }, { id: 1 }]])
    await type('[]')
    expect(written[1]).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('waits for a reader that is slow and rejects when it goes away', async () => {
    const input = new PassThrough()
    const output = new PassThrough({ highWaterMark: 100 })
    const channel = new StreamChannel({ input, output, maxMessageBytes: 1000 })
    await channel.start()
    const states: string[] = []
    const send = (id: number): Promise<unknown> =>
      channel.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(200) } }).then(
        () => states.push(`sent ${id}`),
        () => states.push(`failed ${id}`),
      )
    const first = send(1)
    await turns()
    expect(states).toEqual([])
    output.resume()
    await first
    output.pause()
    const second = send(2)
    output.destroy()
    await second
    expect(states).toEqual(['sent 1', 'failed 2'])
    await expect(channel.send({ jsonrpc: '2.0', method: 'late' })).rejects.toThrow('closed')
  })

  it('closes once, at the end of its input, after the answers in the making', async () => {
    const { type, channel, input, written, closings } = await open({ graceMs: 100_000 })
    await type(request(1))
    input.end()
    await turns()
    expect(closings()).toBe(0)
    await channel.send({ jsonrpc: '2.0', id: 1, result: {} })
    await turns()
    expect(written).toHaveLength(1)
    expect(closings()).toBe(1)
    await channel.close()
    expect(closings()).toBe(1)
  })

  it('does not wait longer than the grace period', async () => {
    const { type, input, closings } = await open({ graceMs: 30 })
    await type(request(1))
    input.end()
    await expect.poll(closings).toBe(1)
  })
})
