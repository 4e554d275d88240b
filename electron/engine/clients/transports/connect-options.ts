import type { Readable, Writable } from 'node:stream'
import type { Logger } from '../../ground/logger.ts'
import type { ClientIdentity, OpenSession, SessionScope } from './client-session.ts'
import type { ParentProcess } from '../connector/parent-watch.ts'
import type { SocketPlace } from './socket-address.ts'

/** An engine in this process, for one client. */
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
  /** Called when no engine listens on this data folder. */
  hostEngine(): Promise<HostedEngine>
  readonly parent: ParentProcess
  /** Where SIGINT, SIGTERM and SIGHUP arrive: `process`. */
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
  /** Milliseconds for answers after the client closed stdin. */
  readonly graceMs?: number
  readonly parentPollMs?: number
}
