import type { Logger } from '../../ground/logger.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { EraMemory } from '../era-memory.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { ReadingRoom } from '../../work/reading-room.ts'
import type { DialOptions } from '../../protocol/link.ts'
import type { AuthOf } from './oauth/server-auths.ts'
import type { GroupGuard } from './group-guard.ts'
import type { EndSteps } from './process-group.ts'
import type { SharedServers } from './shared-servers.ts'

export interface OpenLinkDependencies {
  readonly logger: Logger
  /** Removes known secrets; lookalikes are hidden anyway. */
  readonly clean?: (text: string) => string
  readonly parseLarge: ParseLarge
  /** For large answers of all servers; default: one of its own. */
  readonly room?: ReadingRoom
  readonly limits: () => { readonly maxMessageBytes: number }
  /** For sessions without environment or folder. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly fetch?: typeof fetch
  /** For remote servers with sign-in. */
  readonly authOf?: AuthOf
  /** Default: in memory. */
  readonly eras?: EraMemory
  readonly shared?: SharedServers
  /** Connections may be lost unnoticed (after sleep). Returns its stop. */
  readonly onDoubt?: (listener: () => void) => () => void
  /** For a doubtful server to respond. */
  readonly checkMs?: number
  readonly probeMs?: number
  readonly startMs?: number
  /** For a modern client to answer a legacy server's requests. */
  readonly answerMs?: number
  readonly endSteps?: EndSteps
  /** Without it, servers that ignore the end of stdin outlive a killed process. */
  readonly guard?: Pick<GroupGuard, 'prepare' | 'add' | 'remove'>
}

/** With its transport's specifics. */
export interface Connection {
  readonly channel: MessageChannel
  readonly pid: number | undefined
  /** Set by the channel's user: the answer arrived but isn't available. */
  onAnswerLost: (id: RequestId, error: Error) => void
  /** Set likewise: why the server is unreachable; undefined when reachable again. */
  onReach?: (failure: string | undefined) => void
  readonly closingError: () => Error
  /** Makes a request's error readable. */
  readonly explain: (error: unknown) => unknown
  /** For the opening. */
  readonly explainStart: (error: unknown) => unknown
  /** After sleep: reopens what may have died unnoticed. */
  readonly onDoubt?: () => void
  readonly close: () => Promise<void>
}

/** Before the first message. */
export type Dialer = (deps: OpenLinkDependencies, options: DialOptions, logger: Logger) => Promise<Connection>
