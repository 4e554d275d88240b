import type { Settings, ToolPolicy } from '../../../../shared/settings.ts'
import type { CallTool } from '../../message/call.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ListingBookkeeper } from '../../ledger/book-listings.ts'
import type { ClientHello } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { OpenLink, UpstreamLink } from '../../protocol/link.ts'
import type { ApprovalQuestions } from './approval-questions.ts'
import type { Approvals } from './approvals.ts'
import type { SaidBy, TreatContent } from '../../message/origins.ts'
import type { ExplorationTools } from '../../message/exploration-tools.ts'

/** Everything that sessions need and do not own; made once by the engine. */
export interface SessionDependencies {
  readonly version: string
  readonly logger: Logger
  readonly openLink: OpenLink
  readonly approvals: Approvals
  readonly questions: ApprovalQuestions
  /** Unix milliseconds. */
  readonly now: () => number
  settings(): Settings
  /** Why a server of config.json is not in effect; undefined where it is, or is not there. */
  settingsFault(serverId: string): string | undefined
  onSettingsChanged(listener: (change: SettingsDiff) => void): () => void
  toolPolicy(serverId: string, tool: string): ToolPolicy
  /** Names what a server's answer depends on besides the call itself; undefined where no other call may share it. */
  askerOf(
    link: UpstreamLink | undefined,
    hello: ClientHello,
    params: JsonObject | undefined,
  ): string | undefined
  /** All interceptors around `innermost`. */
  pipeline(innermost: CallTool): CallTool
  readonly content: TreatContent
  /**
   * Delivers what a server says beside its results (progress, log lines), guarded and as its client may see it: at once,
   * or a moment later, and in order.
   */
  said(origin: SaidBy, params: JsonObject, deliver: (shown: JsonObject) => void): void
  /** A server's question to its client, guarded, and the answer to it, as either may see it. */
  question(
    origin: SaidBy,
    method: string,
    params: JsonObject | undefined,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** The words of errors are a server's words too: guards them. Rejects with what may be told instead. */
  guardErrors<Result>(
    origin: { readonly clientName: string; readonly serverId: string; readonly method: string },
    request: () => Promise<Result>,
  ): Promise<Result>
  /** What a server says of itself, or beside its results, without characters that hide something from a reader. */
  cleanDefinition(serverId: string, value: JsonObject): JsonObject
  exploration: ExplorationTools
  /** Whether a tool's results have been large, so that it is offered Sluice's own parameters. */
  hasLargeResults(serverId: string, tool: string): boolean
  readonly onListed: ListingBookkeeper['onListed']
  readonly onToldOfTools: ListingBookkeeper['onToldOfTools']
  /** Whether `clientName` has a session open whose list carries the exploration tools. */
  explorationReach: ExplorationReach
  newId(prefix: string): string
}

/** Which clients can already call the exploration tools through some session of theirs. */
export interface ExplorationReach {
  enter(clientName: string): () => void
  has(clientName: string): boolean
}

export function createExplorationReach(): ExplorationReach {
  const sessions = new Map<string, number>()
  return {
    enter(clientName) {
      sessions.set(clientName, (sessions.get(clientName) ?? 0) + 1)
      let inside = true
      return () => {
        if (!inside) return
        inside = false
        const left = (sessions.get(clientName) ?? 1) - 1
        if (left > 0) sessions.set(clientName, left)
        else sessions.delete(clientName)
      }
    },
    has: (clientName) => sessions.has(clientName),
  }
}
