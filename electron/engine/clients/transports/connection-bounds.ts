import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionBoundsOptions {
  /** Milliseconds without a byte of a body that is not complete; default 60 seconds. */
  readonly bodySilenceMs?: number
  /** Default 5,000; systems give a process 10,000 files and more. */
  readonly maxConnections?: number
}

export interface ConnectionBounds {
  /** Counts the connections of a server from now on. */
  watch(server: Server): void
  /** The connection of a request that may ask: it gives way to no other. */
  readonly trust: (request: IncomingMessage) => void
  /** Cuts a request off whose body falls silent. Called once, before anything of it is read. */
  guardBody(request: IncomingMessage, response: ServerResponse): void
}

/**
 * Nobody holds connections for ever that bring nothing. With all places taken, the connection that has been there for longest
 * without a request that may ask gives way to a new one, so that whoever has no token keeps nobody out who has it.
 */
export function createConnectionBounds({
  bodySilenceMs = 60_000,
  maxConnections = 5_000,
}: ConnectionBoundsOptions): ConnectionBounds {
  /** In the order in which they came. */
  const strangers = new Set<Socket>()
  let trusted = 0

  const add = (socket: Socket): void => {
    if (strangers.size + trusted >= maxConnections) {
      const [oldest] = strangers
      if (oldest === undefined) return void socket.destroy()
      strangers.delete(oldest)
      oldest.destroy()
    }
    strangers.add(socket)
    socket.once('close', () => strangers.delete(socket))
  }
  return {
    watch: (server) => void server.on('connection', add),
    trust: ({ socket }) => {
      if (!strangers.delete(socket) || socket.destroyed) return
      trusted++
      socket.once('close', () => trusted--)
    },
    guardBody: (request, response) => {
      if (!hasBody(request)) return
      const { socket } = request
      let seen = socket.bytesRead
      let isLate = false
      // Looked at twice: after the machine slept or was busy, the timer is there before the bytes are.
      const timer = setInterval(() => {
        if (request.complete) return clearInterval(timer)
        if (socket.bytesRead === seen && isLate) return cutOff(request, response)
        isLate = socket.bytesRead === seen
        seen = socket.bytesRead
      }, bodySilenceMs / 2)
      timer.unref()
      request.once('close', () => clearInterval(timer))
      // Who was answered has no more to say: what it goes on sending is read for a while, so that it reads the answer.
      response.once('finish', () => {
        if (request.complete) return
        const end = setTimeout(() => request.complete || socket.destroy(), bodySilenceMs)
        end.unref()
        socket.once('close', () => clearTimeout(end))
      })
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function cutOff(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (response.headersSent) return void socket.destroy()
  const message = 'The body of this request did not go on for too long. Send it again.'
  response.writeHead(408, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }), () =>
    socket.destroy(),
  )
}
