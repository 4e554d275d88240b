import { chmod, open, rm } from 'node:fs/promises'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { explainFileFailure } from '../../ground/files/explain-file-failure.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { OpenSession } from './client-session.ts'
import type { EngineWelcome } from '../connector/connector-hello.ts'
import { ConnectorHello, readFirstLine } from '../connector/connector-hello.ts'
import type { ServedChannel } from './serve-channel.ts'
import { serveChannel } from './serve-channel.ts'
import type { SocketPlace } from './socket-address.ts'
import { prepareSocketAddress, removeSocketFolder } from './socket-address.ts'
import { StreamChannel } from './stream-channel.ts'

export interface LocalSocketOptions extends SocketPlace {
  readonly openSession: OpenSession
  readonly logger: Logger
  readonly maxMessageBytes: number
  /** For answers after the client closed its side. */
  readonly graceMs?: number
  readonly parseLarge?: ParseLarge | undefined
}

export interface LocalSocket {
  readonly path: string
  connections(): number
  close(): Promise<void>
}

const HELLO_TIMEOUT_MS = 10_000
const DEFAULT_GRACE_MS = 5_000
const LOCK_POLL_MS = 50
/** Takeovers take milliseconds: older locks are stale. */
const STALE_LOCK_MS = 3_000

/** For `sluice connect`. Only this user can connect. */
export async function listenLocalSocket(options: LocalSocketOptions): Promise<LocalSocket> {
  const sockets = new Set<Socket>()
  const served = new Set<ServedChannel>()
  const ending = new Set<Promise<void>>()
  const stop = new AbortController()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', (error) => options.logger.debug('local client', { error: error.message }))
    const ended = serve(socket, options, served, stop.signal)
      // Programs that probe for an engine send nothing.
      .catch((error: unknown) => options.logger.debug('local client', { error: messageOf(error) }))
      .finally(() => {
        socket.destroySoon()
        sockets.delete(socket)
        ending.delete(ended)
      })
    ending.add(ended)
  })
  const listenAt = async (): Promise<string> => {
    const address = await prepareSocketAddress(options)
    await (options.platform === 'win32' ? listenOrSay(server, address) : takeOver(server, address))
    return address
  }
  // An ending engine removes an empty folder, even one just prepared here.
  const path = await listenAt().catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return listenAt()
    throw error
  })
  options.logger.info('local socket open', { path })
  return {
    path,
    connections: () => sockets.size,
    close: async () => {
      stop.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...served].map((channel) => channel.close()))
      for (const socket of sockets) socket.destroySoon()
      await Promise.all(ending)
      await closed
      await removeSocketFolder(options, path)
    },
  }
}

/** Until the session's end is confirmed. */
async function serve(
  socket: Socket,
  options: LocalSocketOptions,
  served: Set<ServedChannel>,
  stop: AbortSignal,
): Promise<void> {
  const { logger, openSession, maxMessageBytes, graceMs = DEFAULT_GRACE_MS, parseLarge } = options
  const { scope, client } = await readFirstLine(socket, ConnectorHello, HELLO_TIMEOUT_MS).catch(
    (error: unknown) => {
      if (socket.writable) welcome(socket, { sluice: 1, ok: false, error: messageOf(error) })
      throw error
    },
  )
  if (stop.aborted) return
  welcome(socket, { sluice: 1, ok: true })
  const channel = new StreamChannel({ input: socket, output: socket, maxMessageBytes, graceMs, parseLarge })
  const connection = await serveChannel(channel, { scope, client, openSession, logger })
  served.add(connection)
  await connection.closed
  served.delete(connection)
}

const welcome = (socket: Socket, answer: EngineWelcome): void => {
  socket.write(`${JSON.stringify(answer)}\n`)
}

/** Replaces a dead engine's socket file. */
async function takeOver(server: Server, path: string): Promise<void> {
  const release = await lock(`${path}.lock`)
  try {
    if (!(await answers(path))) await rm(path, { force: true })
    await listenOrSay(server, path)
    await chmod(path, 0o600)
  } finally {
    await release()
  }
}

/** Two engines must not remove each other's new socket. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (let waited = 0; waited < STALE_LOCK_MS; waited += LOCK_POLL_MS) {
    try {
      await (await open(path, 'wx', 0o600)).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    await sleep(LOCK_POLL_MS)
  }
  await rm(path, { force: true })
  return lock(path)
}

async function listenOrSay(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path)
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) throw alreadyRunning(path, error)
    throw explainFileFailure(error, `The socket ${path} can't be made`)
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const alreadyRunning = (path: string, cause: unknown): SluiceError =>
  new SluiceError(
    'ENGINE_RUNNING',
    `An engine already runs on this data folder (it listens on ${path}). Use that one, stop it first, or give this one another folder with --data-dir.`,
    { cause, data: { path } },
  )
