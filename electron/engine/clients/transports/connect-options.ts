import type { Readable, Writable } from 'node:stream'
import type { ClientIdentity, SessionScope } from './client-session.ts'
import type { EngineCommand } from '../connector/start-engine.ts'
import type { ParentProcess } from '../connector/parent-watch.ts'
import type { SocketPlace } from './socket-address.ts'

export interface ConnectOptions extends SocketPlace {
  readonly scope: SessionScope
  readonly client: ClientIdentity
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** If no engine listens on this data folder. */
  readonly engineCommand: () => Promise<EngineCommand>
  readonly parent: ParentProcess
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
  /** For answers after stdin closed. */
  readonly graceMs?: number
  readonly parentPollMs?: number
}
