import { SluiceError } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { EraMemory } from '../era-memory.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { DialOptions } from '../../protocol/link.ts'
import type { AuthOf } from './oauth/server-auths.ts'
import type { GroupGuard } from './group-guard.ts'
import type { EndSteps } from './process-group.ts'
import type { SharedServers } from './shared-servers.ts'

export interface OpenLinkDependencies {
  readonly logger: Logger
  /** A text without the secrets that are known, for errors. What shows by itself to be one is blanked out without it, too. */
  readonly clean?: (text: string) => string
  /** Parses JSON off the main thread; may take the bytes' memory away. */
  readonly parseLarge: ParseLarge
  /** Asked at every opening, so that changed settings count from the next one on. */
  readonly limits: () => { readonly maxMessageBytes: number }
  /** For servers whose session brings neither an environment nor a folder. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly fetch?: typeof fetch
  /** The tokens of remote servers that users sign in to. */
  readonly authOf?: AuthOf
  /** Which era a server spoke last time. In memory unless the caller keeps it. */
  readonly eras?: EraMemory
  /** The processes of servers that are `shared`; without them each session has its own of these, too. */
  readonly shared?: SharedServers
  /** Hears when connections may have been lost unnoticed (the machine has slept). Returns its stop. */
  readonly onDoubt?: (listener: () => void) => () => void
  /** Milliseconds that a server which seems dead has to say that it lives. */
  readonly checkMs?: number
  readonly probeMs?: number
  readonly startMs?: number
  /** Milliseconds that a modern client may take to answer the questions of an older server. */
  readonly answerMs?: number
  readonly endSteps?: EndSteps
  /** Without one, servers that ignore the end of their stdin outlive a process that is killed. */
  readonly guard?: Pick<GroupGuard, 'prepare' | 'add' | 'remove'>
}

/** A channel to a server and what only its kind of transport knows. */
export interface Connection {
  readonly channel: MessageChannel
  readonly pid: number | undefined
  /** Set by whoever uses the channel: the answer to this request came, but cannot be had. */
  onAnswerLost: (id: RequestId, error: Error) => void
  /** Set likewise: why there is no way to the server now; undefined when there is one again. */
  onReach?: (failure: string | undefined) => void
  /** What requests in flight are told when the channel ends. */
  readonly closingError: () => Error
  /** An error of a request, in words for people where the transport's own are not. */
  readonly explain: (error: unknown) => unknown
  /** An error of the opening, likewise. */
  readonly explainStart: (error: unknown) => unknown
  /** The machine has slept: what may have died unnoticed is opened again. */
  readonly onDoubt?: () => void
  readonly close: () => Promise<void>
}

/** Opens the way to a server, up to but without the first message. */
export type Dialer = (deps: OpenLinkDependencies, options: DialOptions, logger: Logger) => Promise<Connection>

/** For requests that were still in flight when Sluice itself ended the connection. */
export const closedOnPurpose = (serverId: string): SluiceError =>
  new SluiceError('SERVER_LOST', `The connection to server "${serverId}" was closed.`)
