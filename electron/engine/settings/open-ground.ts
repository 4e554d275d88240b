import { join } from 'node:path'
import { definedOnly } from '../ground/defined-only.ts'
import { createEvents, type Events } from '../ground/events.ts'
import { makeFolder } from '../ground/files/make-folder.ts'
import type { RootLogger } from '../ground/logger.ts'
import { keepRecentLines, type RecentLines } from '../ground/recent-lines.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { Surroundings } from '../ground/surroundings.ts'
import { followNetwork } from '../network/create-network.ts'
import { WorkerPool } from '../work/worker-pool.ts'
import { readConfigOrNothing } from './read-config.ts'
import { preparePatterns } from './check-patterns.ts'
import { secretsOf } from './expand-env.ts'
import { createPolicies, type Policies } from './policies.ts'
import { CONFIG_FILE, openSettings, type SettingsStore } from './settings-store.ts'
import { openSwitch, type Switch } from './switch.ts'

/** `env`: inherited by stdio servers and for `${env:NAME}`, for clients without an environment of their own. */
export interface GroundOptions extends Surroundings {
  /** Created if missing. */
  readonly dataDir: string
  readonly logger: RootLogger
  /** For `${secret:NAME}` and a model's key; without it keys come from the environment only. */
  readonly secrets?: Secrets | undefined
  /** Follow config.json. Default: true. */
  readonly watchSettings?: boolean
  /** Node read it at start; reading again costs 100 ms. */
  readonly nodeTrusts?: string | undefined
  /** Closed with the engine. Default: threads of its own. */
  readonly workers?: WorkerPool
}

export interface Ground extends Surroundings {
  readonly dataDir: string
  readonly logger: RootLogger
  readonly secrets: Secrets | undefined
  readonly env: Readonly<Record<string, string>>
  readonly recentLines: RecentLines
  readonly events: Events
  readonly settings: SettingsStore
  readonly mainSwitch: Switch
  readonly policies: Policies
  readonly workers: WorkerPool
}

export async function openGround(options: GroundOptions, closing: AsyncDisposableStack): Promise<Ground> {
  const { dataDir, logger, now, version, platform, homeDir, tempDir, secrets } = options
  const { nodeTrusts, watchSettings: watch = true } = options
  makeFolder(dataDir)
  const env = definedOnly(options.env)
  const recentLines = keepRecentLines(logger)
  const events = createEvents(logger)
  await preparePatterns(readConfigOrNothing(join(dataDir, CONFIG_FILE)))
  const settings = openSettings({ dataDir, logger, events, watch })
  closing.defer(() => settings.close())
  const adjustLogger = (): void => {
    logger.redact(Object.values(settings.current.servers).flatMap((server) => secretsOf(server)))
    logger.setLevel(settings.current.logLevel)
  }
  adjustLogger()
  events.on('settings-changed', adjustLogger)
  const warn = (message: string): void => logger.warn(message)
  closing.defer(await followNetwork(settings, { env, warn, events, nodeTrusts }))
  const mainSwitch = openSwitch({ dataDir, now, logger, events, watch })
  closing.defer(() => mainSwitch.close())
  const onCrash = (why: string): void => events.emit('part-restarted', { part: 'A worker thread', why })
  const workers = options.workers ?? new WorkerPool({ logger, onCrash })
  return {
    dataDir,
    logger,
    now,
    version,
    platform,
    homeDir,
    tempDir,
    secrets,
    env,
    recentLines,
    events,
    settings,
    mainSwitch,
    policies: createPolicies(settings, mainSwitch),
    workers,
  }
}
