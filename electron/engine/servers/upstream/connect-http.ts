import { ownError, SluiceError } from '../../ground/errors.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { Connection, Dialer, OpenLinkDependencies } from './connection.ts'
import { cleanPlain } from '../../ground/secrets/redact.ts'
import type { Place } from './http-reason.ts'
import { closedOnPurpose, httpFailure, httpStartFailure, resumeFailure } from './describe-failure.ts'
import { HttpChannel } from './http-channel.ts'
import { LargeResponses } from './large-responses.ts'
import type { DialOptions } from '../../protocol/link.ts'
import { httpStatusOf } from './negotiate.ts'
import { listening, resuming } from './resume-stream.ts'
import { SseChannel } from './sse-channel.ts'
import { watchReach } from '../watch-reach.ts'

/** Only for HTTP, because it takes 0.2 s. */
const loadSdk = () => import('@modelcontextprotocol/client')

/** For the server, by a call with a broken stream. */
const RECONNECT_SECONDS = 5

export const connectHttp: Dialer = async (deps, options, logger) => {
  const { StreamableHTTPClientTransport, InsufficientScopeError } = await loadSdk()
  const onAnswerLost: Connection['onAnswerLost'] = (id, error) => connection.onAnswerLost(id, error)
  const { url, place, large, requestOptions, auth } = targetOf(deps, options, onAnswerLost, (error) =>
    connection.onReach?.(error === undefined ? undefined : httpStartFailure(place, error).message),
  )
  const seconds = options.settings.reconnectSeconds ?? RECONNECT_SECONDS
  const channel = new HttpChannel({
    url: place.url,
    createTransport: (session, { own, onGivenUp }) =>
      new StreamableHTTPClientTransport(url, {
        ...requestOptions,
        ...session,
        ...(own
          ? listening(requestOptions.fetch, own)
          : resuming(requestOptions.fetch, seconds * 1000, () => onGivenUp?.(resumeFailure(place, seconds)))),
        onInsufficientScope: 'throw',
      }),
    explainRefusal: async (error) =>
      auth && InsufficientScopeError.isInstance(error) ? auth.needsScope(error.requiredScope) : error,
    restore: (message) => large.restore(message),
    onAnswerLost,
    onToolLeftOut: (tool, why) =>
      logger.warn(`The tool "${tool}" is left out: its definition is not valid over HTTP`, { why }),
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

export const connectSse: Dialer = async (deps, options) => {
  const { SSEClientTransport, SseError } = await loadSdk()
  const onAnswerLost: Connection['onAnswerLost'] = (id, error) => connection.onAnswerLost(id, error)
  const { url, place, large, requestOptions } = targetOf(deps, options, onAnswerLost, (error) =>
    connection.onReach?.(error === undefined ? undefined : httpStartFailure(place, error).message),
  )
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
        : ownError(
            'SERVER_LOST',
            `Server "${options.serverId}" ended its event stream at ${place.url}. The next use connects again; look whether the call was carried out before repeating it.`,
          ),
  }
  return connection
}

/** Whether a Streamable HTTP failure suggests legacy HTTP+SSE (the specification's rule). */
export function fallsBackToSse(error: unknown): boolean {
  const status = error instanceof SluiceError ? httpStatusOf(error.cause) : undefined
  return status === 400 || status === 404 || status === 405
}

function targetOf(
  deps: OpenLinkDependencies,
  { serverId, settings }: DialOptions,
  onAnswerLost: Connection['onAnswerLost'],
  onReach: (error: unknown) => void,
) {
  const large = new LargeResponses({
    fetch: deps.fetch ?? fetch,
    maxMessageBytes: deps.limits().maxMessageBytes,
    parseLarge: deps.parseLarge,
    room: deps.room,
    onAnswerLost,
  })
  const auth = deps.authOf?.(serverId, settings)
  const url = new URL(settings.url ?? '')
  const clean = deps.clean ?? cleanPlain
  const place: Place = { serverId, url: clean(url.href), clean }
  return {
    url,
    place,
    large,
    auth,
    requestOptions: {
      requestInit: { headers: settings.headers ?? {} },
      fetch: watchReach(auth ? auth.watch(large.fetch) : large.fetch, onReach),
      ...(auth === undefined ? {} : { authProvider: auth }),
    },
  }
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
