import type { Logger } from '../../ground/logger.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { OpenSession, SessionScope } from './client-session.ts'
import { HttpError } from './http-message.ts'

/** How the three HTTP transports open and end sessions. */
export interface HttpSessionsOptions {
  readonly openSession: OpenSession
  readonly logger: Logger
  /** Idle milliseconds before a session and its processes end. */
  readonly sessionIdleMs: number
  readonly maxSessions: number
}

/** Who calls, and which part of Sluice. */
export interface HttpCaller {
  readonly scope: SessionScope
  /** From `?client=NAME`, like `--client`. */
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
