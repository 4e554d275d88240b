import type { Settings } from '../../../shared/settings.ts'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pinsMarks, pinsPath, START_ANEW } from '../../engine/approvals/approvals.ts'
import { identityOf } from '../../engine/approvals/launch.ts'
import { isOfOtherEntry } from '../../engine/approvals/pinned-item.ts'
import { kindOf } from '../../engine/approvals/read-pins.ts'
import { pinMigrations } from '../../engine/approvals/pin-migrations.ts'
import { RecordTally } from '../../engine/approvals/record-tally.ts'
import { connectDatabase } from '../../engine/ground/database/database-connection.ts'
import { messageOf } from '../../engine/ground/errors.ts'
import { requireFolder } from '../../engine/ground/files/require-folder.ts'
import { explainFileFailure, isUnwritable } from '../../engine/ground/files/explain-file-failure.ts'
import type { Migration } from '../../engine/ground/database/migrations/migrate.ts'
import { migrations } from '../../engine/ground/database/migrations/migrations.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const FOLDER = 'data folder'

/** A missing folder can still be made. */
export function checkReadable(dataDir: string): Finding | undefined {
  try {
    requireFolder(dataDir)
    return undefined
  } catch (error) {
    return problem(FOLDER, messageOf(error))
  }
}

/** Writable for Sluice, unreadable for others. */
export function checkFolder(dataDir: string, platform: NodeJS.Platform): Finding[] {
  const subject = FOLDER
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (!stats) return [checkPlace(subject, dataDir)]
  const probe = join(dataDir, `.doctor-${randomBytes(6).toString('hex')}`)
  try {
    // With content, because an empty file succeeds on a full disk.
    writeFileSync(probe, 'probe', { flag: 'wx' })
  } catch (error) {
    return [problem(subject, explainFileFailure(error, `Nothing can be written to ${dataDir}`).message)]
  } finally {
    rmSync(probe, { force: true })
  }
  // Windows has no such bits; its profile folder is private.
  const isOpen = platform !== 'win32' && (stats.mode & 0o077) !== 0
  const findings = [ok(subject, `${dataDir} can be written.`)]
  if (!isOpen) return findings
  return [
    ...findings,
    warning(subject, `Other users can look into ${dataDir}. Close it: chmod 700 '${dataDir}'`),
  ]
}

function checkPlace(subject: string, dataDir: string): Finding {
  let above = dirname(dataDir)
  while (above !== dirname(above) && !existsSync(above)) above = dirname(above)
  try {
    accessSync(above, constants.W_OK)
    if (statfsSync(above).type === PROC_FILE_SYSTEM) throw new Error('the system allows no folders there')
    return ok(subject, `${dataDir} is not there yet; it is made when first needed.`)
  } catch (error) {
    const { message } = explainFileFailure(error, `${dataDir} can't be made in ${above}`)
    return problem(subject, message.includes('--data-dir') ? message : `${message} Use another --data-dir.`)
  }
}

/** For another process's lock. */
const LOCK_MS = 2000
/** statfs(2) below /proc. */
const PROC_FILE_SYSTEM = 0x9fa0

/** Read-only: opening normally would rename a damaged file. */
export function checkDatabase(dataDir: string): Finding[] {
  const subject = 'database'
  const path = join(dataDir, 'sluice.db')
  if (!statSync(path, { throwIfNoEntry: false })?.size)
    return [ok(subject, 'None yet; it is made with the first call.')]
  const then = 'At its next start Sluice sets it aside and begins a new one; settings are not in it.'
  return [examineDatabase(subject, path, migrations, then)]
}

/** While unreadable, everything is blocked. */
export function checkApprovals(dataDir: string, { servers }: Pick<Settings, 'servers'>): Finding[] {
  const subject = 'approvals'
  const path = pinsPath(dataDir)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined && !pinsMarks(dataDir).paths.some((mark) => existsSync(mark))) return []
  const then = `Everything is blocked until it is repaired: ${START_ANEW}`
  if (size === undefined) return [problem(subject, unreadable(path, 'it is missing', then))]
  if (size === 0) return [problem(subject, unreadable(path, 'it is empty', then))]
  const waiting: Finding[] = []
  const lookFurther = (database: DatabaseSync): void => {
    const connection = connectDatabase(() => database, { path, lockMs: LOCK_MS })
    new RecordTally(connection, pinsMarks(dataDir)).verify()
    for (const { server, count } of undecided(database, servers))
      waiting.push(
        warning(
          subject,
          `${count} ${count === 1 ? 'definition' : 'definitions'} of ${server} ${count === 1 ? 'is' : 'are'} blocked until you decide: \`sluice review ${server}\`, or the Approvals screen.`,
        ),
      )
  }
  return [examineDatabase(subject, path, pinMigrations, then, lookFurther), ...waiting]
}

/** By the launches in config.json: servers with the same launch share what they offer, and each has its own variables. */
function undecided(
  database: DatabaseSync,
  servers: Settings['servers'],
): { server: string; count: number }[] {
  const waiting = database.prepare('SELECT identity, kind, name FROM pending WHERE denied_at IS NULL').all()
  if (waiting.length === 0) return []
  return Object.entries(servers)
    .filter(([, settings]) => settings.disabled !== true)
    .map(([server, settings]) => {
      const identity = identityOf(settings)
      const own = waiting.filter(
        (row) =>
          row['identity'] === identity &&
          !isOfOtherEntry({ kind: kindOf(row), name: String(row['name']) }, server),
      )
      return { server, count: own.length }
    })
    .filter(({ count }) => count > 0)
}

function examineDatabase(
  subject: string,
  path: string,
  known: readonly Migration[],
  then: string,
  lookFurther?: (database: DatabaseSync) => void,
): Finding {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_MS })
    try {
      const state = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
      if (state !== 'ok') return problem(subject, unreadable(path, String(state), then))
      const version = Number(
        database.prepare('SELECT max(version) AS version FROM migrations').get()?.['version'],
      )
      const newest = known.at(-1)?.version ?? 0
      if (version > newest) {
        return problem(
          subject,
          `${path} was written by a newer Sluice. Update this one, or use another --data-dir.`,
        )
      }
      if (version === newest) lookFurther?.(database)
      return ok(subject, `${path} is sound.`)
    } finally {
      database.close()
    }
  } catch (error) {
    if (isUnwritable(error))
      return problem(subject, explainFileFailure(error, `${path} can't be opened`).message)
    return problem(subject, unreadable(path, messageOf(error), then))
  }
}

const unreadable = (path: string, why: string, then: string): string =>
  `${path} can't be read (${why}). ${then}`
