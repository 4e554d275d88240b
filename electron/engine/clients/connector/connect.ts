import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { explainFileFailure, isFileFailure } from '../../ground/files/explain-file-failure.ts'
import type { EngineLink } from './engine-link.ts'
import { openEngineSocket } from './engine-socket.ts'
import { KeptConnection } from './kept-connection.ts'
import { watchParent } from './parent-watch.ts'
import { findSocketAddress } from '../transports/socket-address.ts'
import type { ConnectOptions } from '../transports/connect-options.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const DEFAULT_GRACE_MS = 5_000
const FLUSH_MS = 2_000
/**
 * What starts an engine is loaded by then: an update may replace the files while the connector runs. Not before an app
 * has started all its servers.
 */
const LOAD_LATER_MS = 10_000

/**
 * `sluice connect`: joins the running engine, or one that it starts. Resolves with the exit code. stdout carries only
 * the protocol.
 */
export async function connectToEngine(options: ConnectOptions): Promise<number> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  for (const signal of SIGNALS) options.signals.on(signal, onSignal)
  const unwatch = watchParent(options.parent, options.parentPollMs ?? 1_000, onSignal)
  try {
    let loading: ReturnType<typeof loadStart> | undefined
    const load = (): ReturnType<typeof loadStart> => (loading ??= loadStart(options))
    setTimeout(() => void load(), LOAD_LATER_MS).unref()
    const start = async (): Promise<EngineLink> => {
      const { startEngine, engineCommand } = await load()
      return startEngine({ ...options, engineCommand, join: () => join(options), stop: stop.signal })
    }
    return await keepConnected(await joinOrStart(options, start), start, options, stop.signal)
  } catch (error) {
    say(options, messageOf(error))
    return 1
  } finally {
    unwatch()
    for (const signal of SIGNALS) options.signals.off(signal, onSignal)
  }
}

/** Not with the rest, because most connectors join a running engine. */
async function loadStart({ engineCommand }: ConnectOptions) {
  const [{ startEngine }, command] = await Promise.all([import('./start-engine.ts'), engineCommand()])
  return { startEngine, engineCommand: async () => command }
}

const helloOf = ({ scope, client }: ConnectOptions) => ({
  sluice: 1 as const,
  scope,
  client: { ...client, ...(client.env ? { env: { ...client.env } } : {}) },
})

const say = ({ stderr }: ConnectOptions, text: string): void => void stderr.write(`sluice connect: ${text}\n`)

const warned = new WeakSet<ConnectOptions>()

function sayOnce(options: ConnectOptions, text: string): void {
  if (warned.has(options)) return
  warned.add(options)
  say(options, text)
}

/** An unanswered client can only report a broken server: returns why there is no engine. */
const joinOrStart = async (
  options: ConnectOptions,
  start: () => Promise<EngineLink>,
): Promise<EngineLink | string> => {
  try {
    return (await join(options)) ?? (await start())
  } catch (error) {
    return reasonOf(error, options)
  }
}

const reasonOf = (error: unknown, { dataDir }: ConnectOptions): string =>
  isFileFailure(error)
    ? explainFileFailure(error, `The data folder ${dataDir} can't be used (${error.code} at ${error.path})`)
        .message
    : messageOf(error)

async function keepConnected(
  first: EngineLink | string,
  start: () => Promise<EngineLink>,
  options: ConnectOptions,
  stop: AbortSignal,
): Promise<number> {
  const { stdin, stdout, graceMs = DEFAULT_GRACE_MS } = options
  const connection = new KeptConnection({
    stdin,
    stdout,
    graceMs,
    stop,
    join: () => join(options),
    start,
    say: (text) => say(options, text),
  })
  const code = await connection.run(first)
  await endOutput(stdout)
  return code
}

/** Ignores engines that end meanwhile, don't answer, or may be another user's. */
async function join(options: ConnectOptions): Promise<EngineLink | undefined> {
  try {
    const path = findSocketAddress(options)
    const socket = await openEngineSocket(path, helloOf(options), options.platform)
    if (!socket) return undefined
    return {
      stream: socket,
      gone: new Promise((resolve) => socket.once('close', () => resolve())),
      destroy: () => void socket.destroy(),
    }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    if (error.code === 'ENGINE_FOREIGN') sayOnce(options, error.message)
    else if (error.code !== 'ENGINE_UNREACHABLE') throw error
    return undefined
  }
}

/** Exiting cuts off asynchronous pipes; limited in case the client stopped reading. */
async function endOutput(stdout: Writable): Promise<void> {
  if (stdout.destroyed) return
  if (!stdout.writableEnded) stdout.end()
  // Everything is written; `finish` won't fire again.
  if (stdout.writableFinished) return
  const enough = new AbortController()
  const written = finished(stdout, { readable: false }).catch(() => {})
  const waited = sleep(FLUSH_MS, undefined, { signal: enough.signal }).catch(() => {})
  await Promise.race([written, waited])
  enough.abort()
}
