import { Agent, createServer, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface TokenRelay {
  readonly port: number
  close(): Promise<void>
}

/**
 * The suite can't send the token that Sluice requires, so this relay adds it to every request. It replaces its own
 * address (Host, Origin) by the target's; foreign names stay.
 */
export async function startTokenRelay(target: URL, token: string): Promise<TokenRelay> {
  const translate = (value: string | undefined): string | undefined =>
    value?.replace(`:${port()}`, `:${target.port}`)
  const headersFor = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
    const { host, origin, connection: _connection, ...rest } = headers
    const moved = { host: translate(host), origin: translate(origin) }
    return {
      ...rest,
      authorization: `Bearer ${token}`,
      ...(moved.host === undefined ? {} : { host: moved.host }),
      ...(moved.origin === undefined ? {} : { origin: moved.origin }),
    }
  }
  // A new connection per request: none that either side has just closed is used again.
  const agent = new Agent({ keepAlive: false })
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const onward = request(
      {
        agent,
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: headersFor(incoming.headers),
      },
      (answer) => {
        const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
      },
    )
    onward.on('error', ({ message }) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(`The relay got no answer: ${message}`)
    })
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  const port = (): number => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: port(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
