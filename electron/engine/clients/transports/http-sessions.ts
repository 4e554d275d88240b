import type { Logger } from '../../ground/logger.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { OpenSession, SessionScope } from './client-session.ts'
import { HttpError } from './http-message.ts'

export interface HttpSessionsOptions {
  readonly openSession: OpenSession
  readonly logger: Logger
  /** Idle limit in milliseconds. */
  readonly sessionIdleMs: number
  readonly maxSessions: number
}

export interface HttpCaller {
  readonly scope: SessionScope
  /** `?client=NAME`, like `--client`. */
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
