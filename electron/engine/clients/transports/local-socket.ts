import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { OpenSession } from './client-session.ts'
import { type EngineWelcome, readFirstLine, SUCCESSOR } from '../connector/connector-hello.ts'
import type { AnswerHook } from './hook-http.ts'
import { serveHook } from './hook-socket.ts'
import { toHello } from './to-hello.ts'
import type { ServedChannel } from './serve-channel.ts'
import { serveChannel } from './serve-channel.ts'
import type { SocketPlace } from './socket-address.ts'
import { prepareSocketAddress, removeSocketFolder } from './prepare-socket-address.ts'
import { StreamChannel } from './stream-channel.ts'
import { isCode, takeAddress } from './take-address.ts'

export interface LocalSocketOptions extends SocketPlace {
  readonly openSession: OpenSession
  /** Undefined: there is one. */
  whyNoProfile?(name: string): string | undefined
  /** Default: hooks change nothing. */
  readonly answerHook?: AnswerHook | undefined
  readonly logger: Logger
  readonly maxMessageBytes: number
  /** For answers after the client closed its side. */
  readonly graceMs?: number
  readonly parseLarge?: ParseLarge | undefined
  /** For an engine in the background: gives way to others, and is over this long after its last connection. */
  readonly idleMs?: number | undefined
}

export interface LocalSocket {
  readonly path: string
  connections(): number
  /** Never for an engine in the foreground. */
  readonly over: Promise<void>
  close(): Promise<void>
}

const HELLO_TIMEOUT_MS = 10_000
const DEFAULT_GRACE_MS = 5_000
/** For the connector that started this engine. */
const FIRST_IDLE_MS = 10_000

/** For `sluice connect`. Only this user can connect. */
export async function listenLocalSocket(options: LocalSocketOptions): Promise<LocalSocket> {
  const sockets = new Set<Socket>()
  const served = new Set<ServedChannel>()
  const ending = new Set<Promise<void>>()
  const stop = new AbortController()
  const { promise: over, resolve: markOver } = Promise.withResolvers<void>()
  const { idleMs } = options
  let isGivingWay = false
  let idle: NodeJS.Timeout | undefined
  const whenIdle = (ms: number | undefined): void => {
    clearTimeout(idle)
    if (ms !== undefined && sockets.size === 0) idle = setTimeout(markOver, isGivingWay ? 0 : ms)
  }
  const giveWay = (): boolean => {
    if (idleMs === undefined) return false
    isGivingWay = true
    // Frees the address at once; connections stay.
    server.close()
    for (const channel of served) channel.notify(SUCCESSOR)
    return true
  }
  const isServed = (channel: ServedChannel): void => {
    served.add(channel)
    if (isGivingWay) channel.notify(SUCCESSOR)
    void channel.closed.then(() => served.delete(channel))
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    clearTimeout(idle)
    socket.on('error', (error) => options.logger.debug('local client', { error: error.message }))
    const ended = serve(socket, { ...options, isServed, giveWay, stop: stop.signal })
      // Programs that probe for an engine send nothing.
      .catch((error: unknown) => options.logger.debug('local client', { error: messageOf(error) }))
      .finally(() => {
        socket.destroySoon()
        sockets.delete(socket)
        ending.delete(ended)
        whenIdle(idleMs)
      })
    ending.add(ended)
  })
  const listenAt = async (): Promise<string> => {
    const address = await prepareSocketAddress(options)
    await takeAddress(server, address, { platform: options.platform, isForeground: idleMs === undefined })
    return address
  }
  // An ending engine removes an empty folder, even one just prepared here.
  const path = await listenAt().catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return listenAt()
    throw error
  })
  options.logger.info('local socket open', { path })
  whenIdle(idleMs && FIRST_IDLE_MS)
  return {
    path,
    over,
    connections: () => sockets.size,
    close: async () => {
      stop.abort()
      clearTimeout(idle)
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...served].map((channel) => channel.close()))
      for (const socket of sockets) socket.destroySoon()
      await Promise.all(ending)
      await closed
      if (!isGivingWay) await removeSocketFolder(options, path)
    },
  }
}

/** Until the session's end is confirmed. */
async function serve(
  socket: Socket,
  options: LocalSocketOptions & {
    readonly isServed: (channel: ServedChannel) => void
    readonly giveWay: () => boolean
    readonly stop: AbortSignal
  },
): Promise<void> {
  const { logger, openSession, maxMessageBytes, graceMs = DEFAULT_GRACE_MS, parseLarge, stop } = options
  const hello = await readFirstLine(socket, toHello, HELLO_TIMEOUT_MS).catch((error: unknown) => {
    if (socket.writable) welcome(socket, { sluice: 1, ok: false, error: messageOf(error) })
    throw error
  })
  if (stop.aborted) return
  if ('giveWay' in hello) {
    const error = 'This engine stays.'
    return welcome(socket, options.giveWay() ? { sluice: 1, ok: true } : { sluice: 1, ok: false, error })
  }
  if ('hook' in hello) {
    welcome(socket, { sluice: 1, ok: true })
    return serveHook(socket, hello.hook, options)
  }
  const { scope, client } = hello
  const wrong = scope.kind === 'all' && scope.profile ? options.whyNoProfile?.(scope.profile) : undefined
  if (wrong !== undefined) return welcome(socket, { sluice: 1, ok: false, error: wrong })
  welcome(socket, { sluice: 1, ok: true })
  const channel = new StreamChannel({ input: socket, output: socket, maxMessageBytes, graceMs, parseLarge })
  const connection = await serveChannel(channel, { scope, client, openSession, logger })
  options.isServed(connection)
  await connection.closed
}

const welcome = (socket: Socket, answer: EngineWelcome): void => {
  socket.write(`${JSON.stringify(answer)}\n`)
}
