import type { Settings, ToolPolicy } from '../../../../shared/settings.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ListingBookkeeper } from '../../ledger/book-listings.ts'
import type { ClientHello } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { OpenLink, UpstreamLink } from '../../protocol/link.ts'
import type { ApprovalQuestions } from './approval-questions.ts'
import type { GraceOptions } from './grace.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import type { Passage } from '../../message/pass-messages.ts'
import type { ExplorationTools } from '../../message/exploration-tools.ts'

/** Created by the engine. */
export interface SessionDependencies extends Passage, GraceOptions {
  readonly version: string
  readonly logger: Logger
  readonly openLink: OpenLink
  readonly approvals: Approvals
  readonly questions: ApprovalQuestions
  readonly now: () => number
  settings(): Settings
  /** Undefined if in effect or missing. */
  settingsFault(serverId: string): string | undefined
  onSettingsChanged(listener: (change: SettingsDiff) => void): () => void
  toolPolicy(serverId: string, tool: string): ToolPolicy
  /** What an answer depends on besides the call; undefined if it can't be shared. */
  askerOf(
    link: UpstreamLink | undefined,
    hello: ClientHello,
    params: JsonObject | undefined,
  ): string | undefined
  cleanDefinition(serverId: string, value: JsonObject): JsonObject
  exploration: ExplorationTools
  /** So that it gets Sluice's parameters. */
  hasLargeResults(serverId: string, tool: string): boolean
  readonly onListed: ListingBookkeeper['onListed']
  readonly onToolsDescribed: ListingBookkeeper['onToolsDescribed']
  /** Whether a session of `clientName` lists the exploration tools. */
  explorationReach: ExplorationReach
  newId(prefix: string): string
}

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
