import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { echoSessions } from './echo-session.ts'

it('keeps a connection open for longer than it says, for clients that are late', async () => {
  const server = await startHttpServer({
    port: 0,
    token: 'any-token',
    openSession: echoSessions().openSession,
    logger: silentLogger,
    maxMessageBytes: 1_000_000,
    serverExists: () => false,
  })
  onTestFinished(() => server.close())
  // The server's end of the connection, published by Node; its time limit closes it when idle.
  let theirs: Socket | undefined
  const note = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    if (socket.localPort === server.port) theirs = socket
  }
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  socket.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
  await expect.poll(() => heard).toContain('"ok":true')
  const promised = Number(/Keep-Alive: timeout=(\d+)/i.exec(heard)?.[1]) * 1000
  expect(promised).toBeGreaterThan(0)
  expect(promised).toBeLessThan(10_000)
  await expect.poll(() => theirs?.timeout).toBeGreaterThan(promised + 30_000)
  expect(theirs?.destroyed).toBe(false)
})
