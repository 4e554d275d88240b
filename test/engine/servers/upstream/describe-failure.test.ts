import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import type { AddressInfo, Server } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpStartFailure } from '../../../../electron/engine/servers/upstream/describe-failure.ts'

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function failureAt(url: string): Promise<string> {
  const error = await fetch(url).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return httpStartFailure({ serverId: 's', url, clean: (text) => text }, error).message
}

describe('what is said of a port that speaks something else', () => {
  test('TLS where there is plain HTTP', async () => {
    const words = await failureAt(`https://${await addressOf(createServer())}/mcp`)
    expect(words).toMatch(/Server "s" .* does not speak TLS\. .* http:\/\/ in its "url"/)
    expect(words).not.toMatch(/SSL routines|\.c:/)
  })

  test('plain HTTP where there is TLS', async () => {
    const words = await failureAt(`http://${await addressOf(createTlsServer())}/mcp`)
    expect(words).toMatch(/closed the connection, or its answer isn't HTTP\. .* https:\/\//)
  })

  test('plain HTTP where something else answers', async () => {
    const { createServer: createTcpServer } = await import('node:net')
    const words = await failureAt(
      `http://${await addressOf(createTcpServer((socket) => socket.end('220 mail ready\r\n')))}/mcp`,
    )
    expect(words).toMatch(/isn't HTTP\. If it serves TLS/)
  })
})
