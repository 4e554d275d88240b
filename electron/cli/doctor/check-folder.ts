import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../engine/errors.ts'
import { migrations } from '../../engine/migrations/migrations.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

/** Whether Sluice can write where it keeps its data, and whether others can read there. */
export function checkFolder(dataDir: string, platform: NodeJS.Platform): Finding[] {
  const subject = 'data folder'
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (!stats) return [ok(subject, `${dataDir} is not there yet; it is made when first needed.`)]
  if (!stats.isDirectory())
    return [problem(subject, `${dataDir} is a file. Remove it, or use another --data-dir.`)]
  try {
    const probe = join(dataDir, `.doctor-${randomBytes(6).toString('hex')}`)
    writeFileSync(probe, '', { flag: 'wx' })
    rmSync(probe)
  } catch (error) {
    return [
      problem(
        subject,
        `Nothing can be written to ${dataDir}: ${messageOf(error)}. Give this user the right to.`,
      ),
    ]
  }
  // Windows has no such bits; there the profile folder is private.
  const isOpen = platform !== 'win32' && (stats.mode & 0o077) !== 0
  const findings = [ok(subject, `${dataDir} can be written.`)]
  if (!isOpen) return findings
  return [
    ...findings,
    warning(subject, `Other users can look into ${dataDir}. Close it: chmod 700 '${dataDir}'`),
  ]
}

/** Looks without changing anything; opening it for real would set a damaged file aside. */
export function checkDatabase(dataDir: string): Finding[] {
  const subject = 'database'
  const path = join(dataDir, 'sluice.db')
  if (!existsSync(path)) return [ok(subject, 'None yet; it is made with the first call.')]
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
    try {
      const state = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
      if (state !== 'ok') return [problem(subject, damaged(path, String(state)))]
      const version = Number(
        database.prepare('SELECT max(version) AS version FROM migrations').get()?.['version'],
      )
      const known = migrations.at(-1)?.version ?? 0
      if (version > known) {
        return [
          problem(
            subject,
            `${path} was written by a newer Sluice. Update this one, or use another --data-dir.`,
          ),
        ]
      }
      return [ok(subject, `${path} is sound.`)]
    } finally {
      database.close()
    }
  } catch (error) {
    return [problem(subject, damaged(path, messageOf(error)))]
  }
}

const damaged = (path: string, why: string): string =>
  `${path} can't be read (${why}). At its next start Sluice sets it aside and begins a new one; settings are not in it.`
