import { join } from 'node:path'
import type { RootLogger } from '../ground/logger.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { Surroundings } from '../ground/surroundings.ts'
import type { Events } from '../ground/events.ts'
import { keepSecrets } from './keep-secrets.ts'
import { KnownSecrets } from '../ground/secrets/known-secrets.ts'
import { createServerStates, type ServerStates } from './states.ts'
import { createServerRestarts, type ServerRestarts } from './restarts.ts'
import type { Switch } from '../settings/switch.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { createBackOff } from './back-off.ts'
import { parseLargeIn } from '../work/parse-large.ts'
import { ReadingRoom } from '../work/reading-room.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import { createOpenExpanded } from './open-expanded.ts'
import type { OpenLink } from '../protocol/link.ts'
import { createEraMemory } from './era-memory.ts'
import { folderOf } from './upstream/connect-stdio.ts'
import { createGroupGuard } from './upstream/group-guard.ts'
import { createServerAuths } from './upstream/oauth/server-auths.ts'
import { createOfferMemory } from './lazy/offer-memory.ts'
import { startWhenUsed } from './lazy/start-when-used.ts'
import { createOpenLink } from './open-link.ts'
import { createSharingWatch, type SharingWatch } from './sharing/sharing-evidence.ts'
import { SharedServers } from './upstream/shared-servers.ts'

export interface ServerConnections {
  /** For sessions: pauses failing servers. */
  readonly openLink: OpenLink
  readonly openNow: OpenLink
  readonly states: ServerStates
  readonly sharing: Pick<SharingWatch, 'of'>
  readonly restarts: ServerRestarts
  /** After sleep or a network change: checks each connection. */
  doubt(): void
  /** Resolves when every shared process has ended; sessions end theirs. */
  closeShared(): Promise<void>
  /** After all sessions. */
  close(): void
}

export function createServerConnections(
  options: Pick<Surroundings, 'now' | 'version' | 'platform' | 'homeDir'> & {
    readonly dataDir: string
    readonly logger: RootLogger
    readonly secrets: Secrets | undefined
    readonly env: Readonly<Record<string, string>>
    readonly events: Events
    readonly settings: Pick<SettingsStore, 'current' | 'onChange'>
    readonly mainSwitch: Pick<Switch, 'current'>
    readonly workers: Pick<WorkerPool, 'run'>
    /** Follows sessions' connections. */
    readonly watchLinks: (openLink: OpenLink) => OpenLink
  },
): ServerConnections {
  const { dataDir, logger, now, secrets, env, events, settings, version } = options
  const backOff = createBackOff({ clock: () => performance.now(), random: Math.random })
  const states = createServerStates({ events, now, pauseOf: (serverId) => backOff.pauseOf(serverId) })
  const guard = createGroupGuard({ platform: options.platform, logger })
  const shared = new SharedServers({ logger, version })
  const doubters = new Set<() => void>()
  const known = new KnownSecrets()
  const redact = (values: readonly string[]): void => {
    logger.redact(values)
    known.add(values)
  }
  const dial = createOpenLink({
    logger,
    clean: (text) => logger.cleanText(text),
    env,
    cwd: options.homeDir,
    parseLarge: parseLargeIn(options.workers),
    room: new ReadingRoom(),
    limits: () => settings.current.limits,
    guard,
    shared,
    onDoubt: (listener) => {
      doubters.add(listener)
      return () => doubters.delete(listener)
    },
    eras: createEraMemory({ path: join(dataDir, 'eras.json'), now, logger }),
    ...(secrets ? { authOf: createServerAuths({ dataDir, secrets, now, redact }) } : {}),
  })
  // Wrappers, outermost first. A look neither pauses nor is followed.
  const expand = (openLink: OpenLink): OpenLink =>
    createOpenExpanded({ openLink, env, secrets, logger, known })
  const memory = createOfferMemory({ folder: join(dataDir, 'offers'), logger })
  const lazy = (openLink: OpenLink): OpenLink =>
    startWhenUsed(openLink, {
      memory,
      logger,
      folderOf: (asked) => folderOf({ cwd: options.homeDir }, asked),
    })
  const watched = states.watch(keepSecrets(dial, known))
  const sharing = createSharingWatch()
  const restarts = createServerRestarts(settings, options.mainSwitch, events)
  // First, so that sessions find no old process.
  restarts.subscribe(({ restarted, removed }) => {
    for (const id of [...restarted, ...removed]) {
      shared.retire(id)
      backOff.forget(id)
      sharing.forget(id)
    }
  })
  return {
    openLink: expand(options.watchLinks(lazy(backOff.watch(sharing.watch(watched))))),
    openNow: expand(watched),
    states,
    sharing,
    restarts,
    doubt: () => {
      backOff.forget()
      for (const listener of doubters) listener()
    },
    closeShared: () => shared.close(),
    close: () => guard.close(),
  }
}
