import { SluiceError } from '../errors.ts'
import { RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'
import type { Connection, Dialer, OpenLinkDependencies } from './connection.ts'
import { closedOnPurpose } from './connection.ts'
import { cleanPlain } from '../redact.ts'
import type { Place } from './describe-failure.ts'
import { httpFailure, httpStartFailure } from './describe-failure.ts'
import { HttpChannel } from './http-channel.ts'
import { LargeResponses } from './large-responses.ts'
import type { DialOptions } from './link.ts'
import { httpStatusOf } from './negotiate.ts'
import { SseChannel } from './sse-channel.ts'

/** The SDK's client is loaded when a server is reached over HTTP, not for those that are programs: it takes 0.2 s. */
const loadSdk = () => import('@modelcontextprotocol/client')

const FIRST_RESUME_MS = 100
const LAST_RESUME_MS = 10_000
const LAST_LISTEN_MS = 60_000
/** A stream that lived for less was no use, and the next one is opened later. */
const USEFUL_MS = 10_000

export const connectHttp: Dialer = async (deps, options) => {
  const { StreamableHTTPClientTransport, InsufficientScopeError } = await loadSdk()
  const onAnswerLost: Connection['onAnswerLost'] = (id, error) => connection.onAnswerLost(id, error)
  const { url, large, requestOptions, auth } = targetOf(deps, options, onAnswerLost)
  const place = placeOf(deps, options, url)
  const channel = new HttpChannel({
    url: place.url,
    createTransport: (session, onBroken) =>
      new StreamableHTTPClientTransport(url, {
        ...requestOptions,
        ...session,
        ...(onBroken ? listening(onBroken) : resuming),
        onInsufficientScope: 'throw',
      }),
    explainRefusal: async (error) =>
      auth && InsufficientScopeError.isInstance(error) ? auth.needsScope(error.requiredScope) : error,
    restore: (message) => large.restore(message),
    onAnswerLost,
  })
  const connection: Connection = {
    ...wordsFor(place),
    channel,
    onAnswerLost: () => {},
    onDoubt: () => void channel.listenAnew(),
    close: () => channel.close(),
    closingError: () => closedOnPurpose(options.serverId),
  }
  return connection
}

/** A stream that broke off is taken up by its last event's id: ten times, the last of them after 45 s. */
const resuming = {
  reconnectionOptions: {
    initialReconnectionDelay: FIRST_RESUME_MS,
    reconnectionDelayGrowFactor: 1,
    maxReconnectionDelay: FIRST_RESUME_MS,
    maxRetries: 10,
  },
  // The SDK would wait as long as the server once said before each attempt, however many failed.
  reconnectionScheduler: (resume: () => void, delay: number, attempt: number) => {
    const patience = attempt === 0 ? 0 : Math.min(FIRST_RESUME_MS * 2 ** attempt, LAST_RESUME_MS)
    const timer = setTimeout(resume, Math.max(delay, patience))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** The server's own stream is opened again without end, since nothing else would tell of its changes. */
function listening(onBroken: () => void) {
  const state = { tries: 0, lastAt: -Infinity }
  return {
    reconnectionOptions: { ...resuming.reconnectionOptions, maxRetries: Number.POSITIVE_INFINITY },
    reconnectionScheduler: (listen: () => void, delay: number) => {
      onBroken()
      state.tries = performance.now() - state.lastAt < USEFUL_MS ? state.tries + 1 : 0
      const patience = Math.min(FIRST_RESUME_MS * 2 ** state.tries, LAST_LISTEN_MS)
      const timer = setTimeout(
        () => {
          state.lastAt = performance.now()
          listen()
        },
        Math.max(delay, patience),
      )
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

export const connectSse: Dialer = async (deps, options) => {
  const { SSEClientTransport, SseError } = await loadSdk()
  const onAnswerLost: Connection['onAnswerLost'] = (id, error) => connection.onAnswerLost(id, error)
  const { url, large, requestOptions } = targetOf(deps, options, onAnswerLost)
  const place = placeOf(deps, options, url)
  const state = { isClosing: false }
  const channel = new SseChannel({
    transport: new SSEClientTransport(url, requestOptions),
    restore: (message) => large.restore(message),
    isStreamError: (error) => error instanceof SseError,
  })
  const connection: Connection = {
    ...wordsFor(place),
    channel,
    onAnswerLost: () => {},
    close: () => {
      state.isClosing = true
      return channel.close()
    },
    closingError: () =>
      state.isClosing
        ? closedOnPurpose(options.serverId)
        : new SluiceError(
            'SERVER_LOST',
            `Server "${options.serverId}" ended its event stream at ${place.url}. The next use connects again; look whether the call was carried out before repeating it.`,
          ),
  }
  return connection
}

/** Whether what failed with Streamable HTTP may be a server of the older HTTP+SSE (the specification's rule). */
export function fallsBackToSse(error: unknown): boolean {
  const status = error instanceof SluiceError ? httpStatusOf(error.cause) : undefined
  return status === 400 || status === 404 || status === 405
}

function targetOf(
  deps: OpenLinkDependencies,
  { serverId, settings }: DialOptions,
  onAnswerLost: Connection['onAnswerLost'],
) {
  const large = new LargeResponses({
    fetch: deps.fetch ?? fetch,
    maxMessageBytes: deps.limits().maxMessageBytes,
    parseLarge: deps.parseLarge,
    onAnswerLost,
  })
  const auth = deps.authOf?.(serverId, settings)
  return {
    url: new URL(settings.url ?? ''),
    large,
    auth,
    requestOptions: {
      requestInit: { headers: settings.headers ?? {} },
      fetch: auth ? auth.watch(large.fetch) : large.fetch,
      ...(auth === undefined ? {} : { authProvider: auth }),
    },
  }
}

function placeOf({ clean = cleanPlain }: OpenLinkDependencies, { serverId }: DialOptions, url: URL): Place {
  return { serverId, url: clean(url.href), clean }
}

function wordsFor(place: Place): Pick<Connection, 'pid' | 'explain' | 'explainStart'> {
  const isClear = (error: unknown): boolean => error instanceof RpcError || error instanceof SluiceError
  const isTimeout = (error: unknown): boolean =>
    error instanceof RpcError && error.code === RpcErrorCode.requestTimeout
  return {
    pid: undefined,
    explain: (error) => (isClear(error) ? error : httpFailure(place, error)),
    explainStart: (error) => (isClear(error) && !isTimeout(error) ? error : httpStartFailure(place, error)),
  }
}
