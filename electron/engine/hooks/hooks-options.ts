import type { Settings } from '../../../shared/settings.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { Conversations } from '../goals/create-goals.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Passage } from '../message/pass-messages.ts'
import type { ResultStore } from '../results/store.ts'
import type { Policies } from '../settings/policies.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export interface HooksOptions extends Pick<Passage, 'pipeline'> {
  readonly policies: Pick<Policies, 'ofTool'>
  readonly results: Pick<ResultStore, 'put' | 'find'>
  readonly ledger: Pick<Ledger, 'recordFetch' | 'correctCall'>
  readonly events: Events
  readonly logger: Logger
  readonly now: () => number
  /** Whether a session of this client lists the exploration tools. */
  readonly hasTools: (clientName: string) => boolean
  readonly settings: { readonly current: Pick<Settings, 'results'> }
  readonly workers: WorkerPool
  readonly prepareGuard: () => void
  /** Whether Sluice's hooks are in the files of an app. */
  readonly hasHooks: () => boolean
  /** By what name an app has an MCP server behind Sluice. */
  readonly entryOf: (app: string) => string | undefined
  /** As typed in a terminal, such as `sluice read`; undefined if none works. */
  readonly readCommand?: string | undefined
  readonly conversations: Conversations
  /** An app waits for the answer at most as long. */
  readonly hookAnswerMs?: number | undefined
}
