import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { HttpExchange } from '../../../../electron/engine/clients/transports/http-exchange.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function exchangeWith(serve: (exchange: HttpExchange) => void, keepAliveMs: number): Promise<Response> {
  const server = createServer((_, response) => serve(new HttpExchange(response, { keepAliveMs })))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return fetch(`http://127.0.0.1:${port}/`)
}

it('turns a silent call into a stream before clients give up waiting for headers', async () => {
  const response = await exchangeWith((exchange) => {
    setTimeout(() => void exchange.answer(1, { result: { late: true } }), 60)
  }, 20)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const text = await response.text()
  expect(text).toMatch(/^: keepalive\n\n/)
  expect(text).toContain('{"jsonrpc":"2.0","id":1,"result":{"late":true}}')
})

it('answers once, and with plain JSON when nothing came before', async () => {
  const response = await exchangeWith((exchange) => {
    void exchange.answer('a', { error: { code: -32602, message: 'no' } })
    void exchange.answer('a', { result: {} })
    exchange.notify('late')
  }, 100_000)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'a', error: { code: -32602, message: 'no' } })
})

it.each([
  { code: -32021, status: 400, what: 'a missing client capability' },
  { code: -32020, status: 400, what: 'a header that contradicts the body' },
  { code: -32601, status: 404, what: 'an unknown method' },
])('answers $what with HTTP $status, as 2026-07-28 wants it', async ({ code, status }) => {
  const response = await exchangeWith((exchange) => {
    void exchange.answer(1, { error: { code, message: 'no' } })
  }, 100_000)
  expect(response.status).toBe(status)
})

it.each([
  { how: 'as JSON', before: false },
  { how: 'as an event of a stream', before: true },
])('writes a large answer in turns with others, and nothing behind it: $how', async ({ before }) => {
  const result = { rows: Array.from({ length: 150_000 }, (_, at) => ({ id: at, name: `row ${at} \u2028é` })) }
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  const response = await exchangeWith((exchange) => {
    if (before) exchange.notify('notifications/progress')
    setImmediate(count)
    void exchange.answer(7, { result }).then(() => (isDone = true))
    exchange.notify('notifications/late')
  }, 100_000)
  const text = await response.text()
  const json = JSON.stringify({ jsonrpc: '2.0', id: 7, result })
  const notice = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n`
  expect(text === (before ? `${notice}event: message\ndata: ${json}\n\n` : json)).toBe(true)
  expect(turns).toBeGreaterThan(2)
  expect(response.headers.get('content-length')).toBe(before ? null : String(Buffer.byteLength(json)))
})
