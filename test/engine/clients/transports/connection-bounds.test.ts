import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  startHttpServer,
  type HttpServerOptions,
} from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { initializeBody } from '../../../helpers/initialize-request.ts'
import { echoSessions } from './echo-session.ts'

const token = 'right-token'
const initialize = initializeBody('raw')
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function started(options: Partial<HttpServerOptions>) {
  const { openSession, sessions } = echoSessions()
  const server = await startHttpServer({
    port: 0,
    token,
    openSession,
    logger: silentLogger,
    maxMessageBytes: 1_000_000,
    serverExists: () => true,
    ...options,
  })
  cleanups.push(() => server.close())
  return { server, sessions }
}

describe('connections', () => {
  function open(
    port: number,
    text = '',
  ): { heard: () => string; closed: Promise<void>; say: (more: string) => void } {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => {})
    cleanups.push(() => socket.destroy())
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    return { heard: () => heard, closed, say: (more) => void socket.write(more) }
  }
  const post = (port: number, head = ''): string =>
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${head}Content-Length: 1000\r\n\r\n{`

  it('S15: a body that falls silent is cut off, with the token or without; one that goes on slowly is not', async () => {
    const { server, sessions } = await started({ bodySilenceMs: 1_000 })
    const silent = open(server.port, post(server.port))
    const refused = open(server.port, post(server.port).replace(token, 'wrong'))
    const body = JSON.stringify(initialize)
    const slow = open(
      server.port,
      post(server.port, 'Accept: application/json, text/event-stream\r\n').replace(
        '1000\r\n\r\n{',
        `${body.length}\r\n\r\n`,
      ),
    )
    let sent = 0
    const piece = Math.ceil(body.length / 18)
    const timer = setInterval(() => slow.say(body.slice(piece * sent, piece * ++sent)), 100)
    cleanups.push(() => clearInterval(timer))
    await Promise.all([silent.closed, refused.closed])
    expect(silent.heard()).toMatch(/^HTTP\/1\.1 408 /)
    expect(silent.heard()).toContain('Send it again')
    expect(refused.heard()).toMatch(/^HTTP\/1\.1 401 /)
    await expect.poll(slow.heard).toContain('HTTP/1.1 200')
    expect(sent).toBeGreaterThan(16)
    expect(sessions).toHaveLength(1)
  })

  it('S15: those without the token give way to new ones, and no others do', async () => {
    const { server } = await started({ maxConnections: 3 })
    const ask = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`
    const stream = open(server.port, ask('/sse'))
    await expect.poll(stream.heard).toContain('endpoint')
    const strangers = Array.from({ length: 6 }, (_, index) =>
      open(server.port, index === 0 ? '' : 'GET / HTTP/1.1\r\n'),
    )
    await Promise.all(strangers.slice(0, 4).map(({ closed }) => closed))
    // A client with the token is accepted, however many connections others hold.
    const next = open(server.port, ask('/nothing'))
    await expect.poll(next.heard).toContain('HTTP/1.1 404')
    const last = Array.from({ length: 6 }, () => open(server.port, ''))
    await Promise.all(last.slice(0, 5).map(({ closed }) => closed))
    const stayed = Promise.race([stream.closed, next.closed]).then(() => 'closed')
    expect(await Promise.race([stayed, Promise.resolve('open')])).toBe('open')
  })
})
