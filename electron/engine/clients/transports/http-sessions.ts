import type { Logger } from '../../ground/logger.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { OpenSession, SessionScope } from './client-session.ts'
import { HttpError } from './http-message.ts'
import { IdleTable } from './idle-table.ts'
import { serveChannel, type ServedChannel } from './serve-channel.ts'

export interface HttpSessionsOptions {
  readonly openSession: OpenSession
  readonly logger: Logger
  /** Idle limit in milliseconds. */
  readonly sessionIdleMs: number
  readonly maxSessions: number
}

/** Sessions of one protocol era over HTTP. They end when they are idle. */
export abstract class HttpSessions<Session> {
  protected readonly options: HttpSessionsOptions
  protected readonly open: IdleTable<Session>

  constructor(options: HttpSessionsOptions, close: (session: Session) => Promise<void>) {
    this.options = options
    this.open = new IdleTable({ idleMs: options.sessionIdleMs, maxEntries: options.maxSessions, close })
  }

  get sessions(): number {
    return this.open.size
  }

  closeAll(): Promise<void> {
    return this.open.closeAll()
  }
}

export interface HttpCaller {
  readonly scope: SessionScope
  /** `?client=NAME`, like `--client`. */
  readonly name: string | undefined
}

/** Serves `channel` for a caller of HTTP. */
export const serveCaller = (
  channel: MessageChannel,
  { scope, name }: HttpCaller,
  { openSession, logger }: Pick<HttpSessionsOptions, 'openSession' | 'logger'>,
): Promise<ServedChannel> =>
  serveChannel(channel, { scope, client: name === undefined ? {} : { name }, openSession, logger })

export const scopeKey = (scope: SessionScope): string =>
  scope.kind === 'server'
    ? `server ${scope.serverId}`
    : scope.kind === 'all'
      ? `all ${scope.profile ?? ''}`
      : scope.kind

export const tooManySessions = (): HttpError =>
  new HttpError(
    503,
    RpcErrorCode.connectionClosed,
    'Too many clients are connected over HTTP. Close some and try again.',
  )
