import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

const fixture = (name: string): string => resolve(import.meta.dirname, '../fixtures/tls', name)

/** Signed the certificate of `TLS_HOST`; not trusted by default. */
export const CA_FILE = fixture('ca.pem')
/** Unknown to resolvers: only reachable through the proxy. */
export const TLS_HOST = 'mcp.sluice.test'

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const join = (one: Socket, other: Socket): void => {
  one.on('error', () => other.destroy()).pipe(other)
  other.on('error', () => one.destroy()).pipe(one)
}

/** Wraps a server in TLS with the certificate of `TLS_HOST`. Returns the port. */
export function tlsInFrontOf(port: number): Promise<number> {
  const options = { cert: readFileSync(fixture('server.pem')), key: readFileSync(fixture('server-key.pem')) }
  const server = createTlsServer(options, (socket) => join(socket, connect(port, '127.0.0.1')))
  // Clients that don't trust the certificate disconnect.
  server.on('tlsClientError', () => {})
  return listen(server)
}

export interface ConnectProxy {
  readonly url: string
  /** Requested targets, as `host:port`. */
  readonly asked: string[]
}

/** Resolves `TLS_HOST` to this machine. */
export async function connectProxy(): Promise<ConnectProxy> {
  const asked: string[] = []
  const server = createHttpServer((_request, response) => response.writeHead(501).end())
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '')
    const [host, port] = (request.url ?? '').split(':')
    const target = connect(Number(port), host === TLS_HOST ? '127.0.0.1' : host)
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      join(socket, target)
    })
    target.once('error', () => socket.destroy())
  })
  return { url: `http://user:word@127.0.0.1:${await listen(server)}`, asked }
}
