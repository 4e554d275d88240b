import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startHttpServer } from '../../../electron/engine/downstream/http-server.ts'
import { silentLogger } from '../../../electron/engine/logger.ts'
import { echoSessions } from './echo-session.ts'

// Found by the soak: a client that was held up sent its call into a connection that the server was just closing.
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
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  const ask = async (): Promise<void> => {
    heard = ''
    socket.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
    await expect.poll(() => heard).toContain('"ok":true')
  }
  await ask()
  const seconds = Number(/Keep-Alive: timeout=(\d+)/i.exec(heard)?.[1])
  expect(seconds).toBeLessThan(10)
  await new Promise((resolve) => setTimeout(resolve, (seconds + 2) * 1000))
  await ask()
}, 20_000)
