import type { Settings } from '../../../shared/settings.ts'
import {
  openApprovals,
  pinsMarks,
  pinsPath,
  type OpenApprovals,
  type OpenApprovalsOptions,
} from './approvals.ts'
import { pinMigrations } from './pin-migrations.ts'
import { LOCK_MS, openDatabaseOrCopy } from '../ground/database/database.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { Surroundings } from '../ground/surroundings.ts'

export function createApprovals(
  options: Omit<Surroundings, 'version'> & {
    readonly dataDir: string
    readonly settings: { readonly current: Pick<Settings, 'servers' | 'approvals'> }
    readonly events: Events
    readonly logger: Logger
    readonly scan: OpenApprovalsOptions['scan']
  },
): OpenApprovals {
  const { dataDir, settings, env, platform, homeDir, tempDir, events, logger, now, scan } = options
  return openApprovals({
    openPins: () =>
      openDatabaseOrCopy({
        path: pinsPath(dataDir),
        tempDir,
        frozen: ['pins', 'wordings', 'decisions'],
        logger,
        now,
        migrations: pinMigrations,
        onDamage: 'throw',
        begunMarks: pinsMarks(dataDir).paths,
        lockMs: LOCK_MS,
      }),
    marks: pinsMarks(dataDir),
    servers: () => settings.current.servers,
    firstSight: () => settings.current.approvals.firstSight,
    machine: { env, platform, homeDir, tempDir },
    scan,
    events,
    logger,
    now,
  })
}
