import type { Logger } from '../../ground/logger.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { OpenSession, SessionScope } from './client-session.ts'
import { HttpError } from './http-message.ts'

/** What the three HTTP transports need to open sessions and to get rid of them. */
export interface HttpSessionsOptions {
  readonly openSession: OpenSession
  readonly logger: Logger
  /** Milliseconds without an exchange after which a session and its upstream processes end. */
  readonly sessionIdleMs: number
  readonly maxSessions: number
}

/** Who calls, and which part of Sluice. */
export interface HttpCaller {
  readonly scope: SessionScope
  /** Given in the address as `?client=NAME`, as `--client` is on the command line. */
  readonly name: string | undefined
}

export const scopeKey = (scope: SessionScope): string =>
  scope.kind === 'server' ? `server ${scope.serverId}` : scope.kind

export const tooManySessions = (): HttpError =>
  new HttpError(
    503,
    RpcErrorCode.connectionClosed,
    'Too many clients are connected over HTTP. Close some and try again.',
  )
