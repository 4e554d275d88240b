import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { ServerSettings } from '../../../../shared/settings.ts'
import { openTestLink, type TestLinkOptions } from '../../../helpers/upstream.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A hand-written server whose streams break off; `onGet` serves reconnections with their last event id. */
async function connect(
  onGet: (lastEventId: string, req: IncomingMessage, res: ServerResponse) => void,
  settings: Partial<ServerSettings> = {},
  deps: TestLinkOptions['deps'] = {},
) {
  const calls: unknown[] = []
  const server = createServer((req, res) => {
    const last = req.headers['last-event-id']
    if (req.method === 'GET' && typeof last === 'string') {
      onGet(last, req, res)
      return
    }
    if (req.method !== 'POST') {
      res.writeHead(405).end()
      return
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
      if (id === undefined) {
        res.writeHead(202).end()
        return
      }
      const serverInfo = { name: 'raw', version: '1' }
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }
      if (method === 'initialize') {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
        return
      }
      calls.push(id)
      stream(res, 'id: 1\nretry: 20\ndata: \n\n')
      stream(res, event(2, { method: 'notifications/message', params: { level: 'info', data: 'one' } }))
      // After the written data has been sent.
      req.socket.destroySoon()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const down = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  closing.push(down)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  const up = (): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const opened = await openTestLink({ settings: { url, ...settings }, deps })
  closing.push(() => opened.link.close())
  return { link: opened.link, heard: opened.heard, calls, down, up, url }
}

const event = (id: number, message: JsonObject): string =>
  `id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`

function stream(res: ServerResponse, text: string): void {
  if (!res.headersSent) res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.write(text)
}

test('a call whose stream breaks off again and again is taken up where it broke, and made once', async () => {
  const resumed: string[] = []
  const { link, calls } = await connect((last, req, res) => {
    resumed.push(last)
    // The network fails for a while, then breaks in the middle of an event.
    if (resumed.length <= 3) req.socket.destroy()
    else if (resumed.length === 4) {
      stream(res, event(3, { method: 'notifications/message', params: { level: 'info', data: 'two' } }))
      stream(res, `id: 4\ndata: {"jsonrpc":"2.0","id":${String(calls[0])},"res`)
      req.socket.destroySoon()
    } else {
      stream(res, event(4, { id: calls[0], result: { content: [{ type: 'text', text: 'whole' }] } }))
      res.end()
    }
  })
  const heard: unknown[] = []
  const result = await link.request(
    'tools/call',
    { name: 'long' },
    { onRelated: (_, said) => heard.push(said?.['data']) },
  )
  expect(result).toEqual({ content: [{ type: 'text', text: 'whole' }] })
  expect([heard, resumed, calls.length]).toEqual([['one', 'two'], ['2', '2', '2', '2', '3'], 1])
})

test.each([400, 404, 405, 410])(
  'a server that answers %i to whoever comes back has lost the call, which is said at once',
  async (status) => {
    let asked = 0
    const { link } = await connect((_last, _req, res) => {
      asked++
      res.writeHead(status).end()
    })
    await expect(link.request('tools/call', { name: 'long' })).rejects.toMatchObject({
      code: 'SERVER_LOST',
      message: expect.stringMatching(/may have been carried out/) as string,
    })
    expect(asked).toBe(1)
  },
)

test('a server that is killed in mid-call and stays down: said soon, with what happens next; its state is clear until it is back', async () => {
  const { link, heard, calls, down, up, url } = await connect(() => {}, { reconnectSeconds: 1.2 })
  const call = link.request('tools/call', { name: 'long' }, { onRelated: () => void down() })
  const failure: unknown = await call.catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'SERVER_LOST',
    message: `Server "test" at ${url} broke off its answer and could not be reached again for 1.2 s (its "reconnectSeconds" in config.json). The call may have been carried out; look before repeating it. Later calls are sent as soon as the server is back.`,
  })
  await expect(link.request('tools/list', {})).rejects.toThrow(
    /could not be reached.*Nothing was carried out/,
  )
  expect(heard.reach).toEqual([
    expect.stringMatching(/"test" is not available.*could not be reached.*ECONNREFUSED/),
  ])
  await up()
  const again = link.request('tools/call', { name: 'long' }, { onRelated: () => {} })
  await expect.poll(() => calls.length).toBe(2)
  // Its answer is on the way once it has the call.
  await expect.poll(() => heard.reach).toHaveLength(2)
  expect(heard.reach.at(-1)).toBe(undefined)
  await down()
  await again.catch(() => {})
})

test('a server that is away for half a second in mid-call: nobody hears of it', async () => {
  const { link, heard, calls, down, up } = await connect((_last, _req, res) => {
    stream(res, event(3, { id: calls[0], result: { content: [] } }))
    res.end()
  })
  const restart = async (): Promise<void> => {
    await down()
    await wait(500)
    await up()
  }
  await expect(
    link.request('tools/call', { name: 'long' }, { onRelated: () => void restart() }),
  ).resolves.toEqual({ content: [] })
  expect([calls.length, heard.reach]).toEqual([1, []])
})
