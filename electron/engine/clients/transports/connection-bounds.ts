import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionBoundsOptions {
  /** In an incomplete body; default 60 s. */
  readonly bodySilenceMs?: number
  /** Default 5,000; systems allow a process 10,000 files and more. */
  readonly maxConnections?: number
}

export interface ConnectionBounds {
  /** From now on. */
  watch(server: Server): void
  /** Exempts an authorised connection from eviction. */
  readonly trust: (request: IncomingMessage) => void
  /** Ends silent bodies. Call once, before reading. */
  guardBody(request: IncomingMessage, response: ServerResponse): void
}

/**
 * When full, replaces the oldest connection without authorised request: clients without token must not block others.
 */
export function createConnectionBounds({
  bodySilenceMs = 60_000,
  maxConnections = 5_000,
}: ConnectionBoundsOptions): ConnectionBounds {
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
      // Two checks: after sleep the timer fires before bytes arrive.
      const timer = setInterval(() => {
        if (request.complete) return clearInterval(timer)
        if (socket.bytesRead === seen && isLate) return cutOff(request, response)
        isLate = socket.bytesRead === seen
        seen = socket.bytesRead
      }, bodySilenceMs / 2)
      timer.unref()
      request.once('close', () => clearInterval(timer))
      // Reads the rest for a while, so that the client reads the answer.
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
