import type { OpenApprovals } from '../approvals/approvals.ts'
import type { Answers } from './http/answers.ts'
import type { Cache } from '../cache/create-cache.ts'
import type { CallTraces } from '../message/call-traces.ts'
import type { Launcher, NoLauncher } from '../client-configs/entries/sluice-entry.ts'
import type { OpenSession } from '../clients/transports/client-session.ts'
import type { Passage } from '../message/pass-messages.ts'
import type { OpenLink } from '../protocol/link.ts'
import type { Policies } from '../settings/policies.ts'
import type { Events } from '../ground/events.ts'
import type { QuarantineStore } from '../guardrails/quarantine-store.ts'
import type { Hooks } from '../hooks/create-hooks.ts'
import type { Budgets } from '../ledger/create-budgets.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RootLogger } from '../ground/logger.ts'
import type { LookAtServer } from '../servers/look-at-server.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { RecentLines } from '../ground/recent-lines.ts'
import type { LoadModels } from '../models/create-models.ts'
import type { ResultStore } from '../results/store.ts'
import type { ServerRestarts } from '../servers/restarts.ts'
import type { SharingWatch } from '../servers/sharing/sharing-evidence.ts'
import type { ServerStates } from '../servers/states.ts'
import type { Switch } from '../settings/switch.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { Surroundings } from '../ground/surroundings.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export interface EngineParts {
  readonly settings: SettingsStore
  readonly events: Events
  readonly ledger: Ledger
  readonly results: ResultStore
  readonly workers: WorkerPool
  readonly serverStates: ServerStates
  readonly sharing: Pick<SharingWatch, 'of'>
  readonly mainSwitch: Switch
  readonly approvals: OpenApprovals
  readonly quarantine: QuarantineStore
  readonly budgets: Pick<Budgets, 'states'>
  readonly lookAtServer: LookAtServer
  readonly openSession: OpenSession
  readonly hooks: Pick<Hooks, 'answer' | 'states' | 'opened' | 'switchOn'>
}

export interface ScreensOptions extends EngineParts, Omit<Surroundings, 'tempDir'> {
  readonly dataDir: string
  readonly logger: RootLogger
  readonly restarts: ServerRestarts
  readonly openNow: OpenLink
  readonly pipeline: Passage['pipeline']
  readonly policies: Pick<Policies, 'ofTool'>
  readonly models: Pick<LoadModels, 'load'>
  readonly cache: Pick<Cache, 'store'>
  readonly secrets?: Secrets | undefined
  readonly traces: CallTraces
  readonly recentLines: RecentLines
  readonly sessions: () => number
  readonly hasLargeResults: (serverId: string, tool: string) => boolean
  readonly cleanDefinition: (serverId: string, value: JsonObject) => JsonObject
  /** Undefined without the desktop app. */
  readonly desktop?: Answers['desktop'] | undefined
  /** Without it clients' configurations are read-only. */
  readonly launcher?: Launcher | NoLauncher | undefined
}

export const DAY_MS = 24 * 3600_000
/** For savings in lists. */
export const LISTED_MS = 30 * DAY_MS
