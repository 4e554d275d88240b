import { messageOf } from '../../ground/errors.ts'
import { RpcPeer } from '../../protocol/peer.ts'
import type { Connection, Dialer, OpenLinkDependencies } from './connection.ts'
import type { EraMemory } from '../era-memory.ts'
import type { DialOptions } from '../../protocol/link.ts'
import { namedMessages } from './named-messages.ts'
import { negotiate } from './negotiate.ts'
import { watchHealth } from '../watch-health.ts'
import { withinTime } from './within-time.ts'
import type { OpenedPeer, PeerEvents } from './opened-peer.ts'

/** Enough for a local server, short if it never answers. */
const PROBE_MS = 2000
/** `npx` and `uvx` may download first. */
const START_MS = 60_000

export interface OpenPeerOptions {
  readonly deps: OpenLinkDependencies
  readonly eras: EraMemory
  readonly options: DialOptions
  readonly dial: Dialer
  readonly events: PeerEvents
}

export async function openPeer({ deps, eras, options, dial, events }: OpenPeerOptions): Promise<OpenedPeer> {
  const { client } = options
  const logger = deps.logger.child({ server: options.serverId })
  const signal = options.signal ?? new AbortController().signal
  /** The last is the peer's. */
  const connections: Connection[] = []
  const state: { isOpen: boolean; isClosing: boolean; stopDoubting?: () => void } = {
    isOpen: false,
    isClosing: false,
  }

  const closeAll = async (): Promise<void> => {
    state.isClosing = true
    await Promise.all(connections.map((connection) => connection.close()))
  }

  const connect = async (): Promise<RpcPeer> => {
    signal.throwIfAborted()
    await Promise.all(connections.map((connection) => connection.close()))
    const connection = await dial(deps, options, logger)
    if (state.isClosing) {
      await connection.close()
      throw new Error('The opening was given up.')
    }
    const peer = new RpcPeer(namedMessages(connection.channel), {
      onRequest: (request) => events.onRequest(request),
      onNotification: (method, params) => events.onNotification(method, params),
      onError: (error) => logger.debug('trouble on the connection', { error: messageOf(error) }),
      otherSide: `Server "${options.serverId}"`,
      closingError: connection.closingError,
      onClose: (error) => {
        if (!state.isOpen || state.isClosing || connections.at(-1) !== connection) return
        state.stopDoubting?.()
        events.onLost(error)
      },
    })
    connection.onAnswerLost = (id, error) => peer.fail(id, error)
    connection.onReach = (failure) => {
      if (state.isOpen && !state.isClosing) events.onReach?.(failure)
    }
    connections.push(connection)
    await peer.start()
    return peer
  }

  const onAbort = (): void => void closeAll()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const key = JSON.stringify([client.era, launchOf(options)])
    const startMs = startMsOf(deps, options)
    const negotiating = negotiate({
      connect,
      client,
      remembered: eras.get(key),
      probeMs: deps.probeMs ?? PROBE_MS,
      startMs,
      signal,
    })
    const { peer, hello, isCertain } = await withinTime(
      negotiating,
      startMs,
      `it did not introduce itself within ${startMs / 1000} s ("startTimeoutSeconds")`,
    )
    eras.set(key, hello.era, isCertain)
    const connection = connections.at(-1)
    state.isOpen = true
    logger.info('server connected', { era: hello.era, version: hello.protocolVersion, pid: connection?.pid })
    const health = watchHealth({
      serverId: options.serverId,
      peer,
      hello,
      client,
      isProcess: connection?.pid !== undefined,
      ...(deps.checkMs === undefined ? {} : { checkMs: deps.checkMs }),
      onDead: (error) => {
        if (state.isClosing) return
        void close()
        events.onLost(error)
      },
    })
    if (deps.onDoubt)
      state.stopDoubting = deps.onDoubt(() => {
        connection?.onDoubt?.()
        void health.check()
      })
    const close = async (): Promise<void> => {
      state.stopDoubting?.()
      await closeAll()
    }
    return {
      peer: health.peer,
      hello,
      greeted: client,
      pid: connection?.pid,
      explain: (error) => connection?.explain(error) ?? error,
      isOpen: () => !state.isClosing && !peer.isClosed,
      close,
    }
  } catch (error) {
    // Before closing, which would appear as the reason.
    const reason = signal.aborted ? error : (connections.at(-1)?.explainStart(error) ?? error)
    await closeAll()
    throw reason
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** To the introduction, including the probe. */
const startMsOf = (deps: OpenLinkDependencies, { settings }: DialOptions): number =>
  settings.startTimeoutSeconds === undefined
    ? (deps.startMs ?? START_MS)
    : settings.startTimeoutSeconds * 1000

const launchOf = ({ settings }: DialOptions): unknown => [
  settings.command,
  settings.args,
  settings.cwd,
  settings.type,
  settings.url,
]
