import type { Readable, Writable } from 'node:stream'
import type { Logger } from '../../ground/logger.ts'
import type { ClientIdentity, OpenSession, SessionScope } from './client-session.ts'
import type { ParentProcess } from '../connector/parent-watch.ts'
import type { SocketPlace } from './socket-address.ts'

/** For one client. */
export interface HostedEngine {
  readonly openSession: OpenSession
  readonly logger: Logger
  readonly maxMessageBytes: number
  close(): Promise<void>
}

export interface ConnectOptions extends SocketPlace {
  readonly scope: SessionScope
  readonly client: ClientIdentity
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** No engine listens on this data folder. */
  hostEngine(): Promise<HostedEngine>
  readonly parent: ParentProcess
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
  /** For answers after stdin closed. */
  readonly graceMs?: number
  readonly parentPollMs?: number
}
