import { messageOf, SluiceError } from '../errors.ts'
import type { Era } from '../protocol/era.ts'
import type { RpcPeerHandlers } from '../protocol/peer.ts'
import { RpcPeer } from '../protocol/peer.ts'
import type { Connection, Dialer, OpenLinkDependencies } from './connection.ts'
import { connectStdio } from './connect-stdio.ts'
import type { OpenLink, OpenLinkOptions, UpstreamLink } from './link.ts'
import type { EraMemory } from './era-memory.ts'
import { linkPerCapabilities } from './link-per-capabilities.ts'
import { negotiate } from './negotiate.ts'
import { QuestionRounds } from './question-rounds.ts'
import { createServerLink } from './server-link.ts'
import { withinTime } from './within-time.ts'

/** Long enough for a server on the same machine, short enough to wait for one that will never answer. */
const PROBE_MS = 2000
/** `npx` and `uvx` download a server before they start it. */
const START_MS = 60_000

function inMemory(): EraMemory {
  const eras = new Map<string, Era>()
  return {
    get: (launch) => eras.get(launch),
    set: (launch, era, isCertain) => {
      if (isCertain) eras.set(launch, era)
    },
  }
}

/** How sessions reach servers: any transport, either era, untouched results. */
export function createOpenLink(deps: OpenLinkDependencies): OpenLink {
  const eras = deps.eras ?? inMemory()
  return async (options) => {
    const { settings } = options
    if (settings.command !== undefined) return openFor(deps, eras, options, connectStdio)
    if (settings.url === undefined) {
      const problem = `Server "${options.serverId}" has neither "command" nor "url". Add one of them in config.json.`
      throw new SluiceError('SETTINGS_INVALID', problem)
    }
    // Not loaded for servers that are programs.
    const { connectHttp, connectSse, fallsBackToSse } = await import('./connect-http.ts')
    if (settings.type === 'sse') return openFor(deps, eras, options, connectSse)
    try {
      return await openFor(deps, eras, options, connectHttp)
    } catch (error) {
      if (settings.type !== undefined || !fallsBackToSse(error)) throw error
      return openFor(deps, eras, options, connectSse).catch(() => Promise.reject(error))
    }
  }
}

async function openFor(
  deps: OpenLinkDependencies,
  eras: EraMemory,
  options: OpenLinkOptions,
  dial: Dialer,
): Promise<UpstreamLink> {
  const first = await open(deps, eras, options, dial)
  const { client, events } = options
  if (client.era === first.hello.era || client.era === 'legacy') return first
  return linkPerCapabilities({
    first,
    open: (capabilities, onLost) =>
      open(
        deps,
        eras,
        { ...options, client: { ...client, capabilities }, events: { ...events, onLost } },
        dial,
      ),
  })
}

async function open(
  deps: OpenLinkDependencies,
  eras: EraMemory,
  options: OpenLinkOptions,
  dial: Dialer,
): Promise<UpstreamLink> {
  const logger = deps.logger.child({ server: options.serverId })
  const signal = options.signal ?? new AbortController().signal
  /** All connections that were opened on the way; the last one is the link's. */
  const connections: Connection[] = []
  const state: { isOpen: boolean; isClosing: boolean; peer?: RpcPeer } = { isOpen: false, isClosing: false }

  const closeAll = async (): Promise<void> => {
    state.isClosing = true
    await Promise.all(connections.map((connection) => connection.close()))
  }

  const { client, events } = options
  const rounds =
    client.era === 'modern'
      ? new QuestionRounds({
          capabilities: client.capabilities,
          ...(deps.answerMs === undefined ? {} : { patienceMs: deps.answerMs }),
          offerRoots: () => void state.peer?.notify('notifications/roots/list_changed'),
          onAnswered: (method, answer) => events.onAnswered?.(method, answer),
        })
      : undefined
  const asked = { now: 0 }
  const onRequest: RpcPeerHandlers['onRequest'] = async (request) => {
    const { method, params, signal, notify } = request
    // Whether the connection lives is known here; the client need not be asked.
    if (method === 'ping') return {}
    if (rounds) return rounds.onRequest(request)
    asked.now++
    try {
      return await events.onRequest(method, params, signal, notify)
    } finally {
      asked.now--
    }
  }

  const connect = async (): Promise<RpcPeer> => {
    signal.throwIfAborted()
    const connection = await dial(deps, options, logger)
    if (state.isClosing) {
      await connection.close()
      throw new Error('The opening was given up.')
    }
    const peer = new RpcPeer(connection.channel, {
      onRequest,
      onNotification: (method, params) => events.onNotification(method, params),
      onError: (error) => logger.debug('trouble on the connection', { error: messageOf(error) }),
      closingError: connection.closingError,
      onClose: (error) => {
        if (state.isOpen && !state.isClosing && connections.at(-1) === connection) events.onLost(error)
      },
    })
    connection.onAnswerLost = (id, error) => peer.fail(id, error)
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
    state.peer = peer
    logger.info('server connected', { era: hello.era, version: hello.protocolVersion, pid: connection?.pid })
    return createServerLink({
      serverId: options.serverId,
      hello,
      client,
      pid: connection?.pid,
      peer,
      events,
      rounds,
      isAsked: () => asked.now > 0,
      explain: (error) => connection?.explain(error) ?? error,
      close: closeAll,
    })
  } catch (error) {
    // Before the closing, which would be taken for the reason.
    const reason = signal.aborted ? error : (connections.at(-1)?.explainStart(error) ?? error)
    await closeAll()
    throw reason
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** From its start to its introduction, the probe for its era included. */
const startMsOf = (deps: OpenLinkDependencies, { settings }: OpenLinkOptions): number =>
  settings.startTimeoutSeconds === undefined
    ? (deps.startMs ?? START_MS)
    : settings.startTimeoutSeconds * 1000

const launchOf = ({ settings }: OpenLinkOptions): unknown => [
  settings.command,
  settings.args,
  settings.cwd,
  settings.type,
  settings.url,
]
