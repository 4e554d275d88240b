import type { DatabaseSync } from 'node:sqlite'
import { canonicalDefinition } from '../protocol/definition-hash.ts'
import { blankLaunchText } from './former-launch.ts'

/**
 * From earlier records. Approvals stay: with the launch its `identity` and hash change everywhere. Of launches that
 * become equal, the last used is kept.
 */
export function takeSecretsOut(database: DatabaseSync): void {
  const blankOf = new Map<string, { readonly text: string; readonly hash: string } | undefined>()
  const blanked = (text: unknown) => {
    if (typeof text !== 'string') return undefined
    if (!blankOf.has(text)) {
      const launch = blankLaunchText(text)
      blankOf.set(text, launch && canonicalDefinition(launch))
    }
    return blankOf.get(text)
  }
  renameServers(database)
  for (const table of ['pins', 'pending']) {
    for (const row of rows(database, `SELECT rowid, hash, definition FROM ${table} WHERE kind = 'server'`)) {
      const blank = blanked(row['definition'])
      if (!blank) continue
      const { rowid = null, hash = null } = row
      database
        .prepare(`UPDATE ${table} SET definition = ?, hash = ? WHERE rowid = ?`)
        .run(blank.text, blank.hash, rowid)
      database
        .prepare("UPDATE sightings SET hash = ? WHERE kind = 'server' AND hash = ?")
        .run(blank.hash, hash)
    }
  }
  for (const { id = null, before = null, after = null } of rows(
    database,
    "SELECT id, before, after FROM history WHERE kind = 'server'",
  )) {
    database
      .prepare('UPDATE history SET before = ?, after = ? WHERE id = ?')
      .run(blanked(before)?.text ?? before, blanked(after)?.text ?? after, id)
  }
}

const OF_A_SERVER = ['servers', 'pins', 'pending', 'views', 'sightings']

function renameServers(database: DatabaseSync): void {
  const taken = new Set<string>()
  const renamed: { readonly from: string; readonly to: string; readonly launch: string }[] = []
  for (const row of rows(
    database,
    'SELECT identity, launch FROM servers ORDER BY last_seen DESC, rowid DESC',
  )) {
    const from = String(row['identity'])
    const blank = blankLaunchText(String(row['launch']))
    const { packages: _, ...own } = blank ?? {}
    const to = blank ? canonicalDefinition(own).hash : from
    if (taken.has(to)) {
      for (const table of OF_A_SERVER) database.prepare(`DELETE FROM ${table} WHERE identity = ?`).run(from)
      database.prepare('UPDATE history SET identity = ? WHERE identity = ?').run(to, from)
    } else if (blank) renamed.push({ from, to, launch: canonicalDefinition(blank).text })
    taken.add(to)
  }
  for (const { from, to, launch } of renamed) {
    for (const table of [...OF_A_SERVER, 'history'])
      database.prepare(`UPDATE ${table} SET identity = ? WHERE identity = ?`).run(to, from)
    database.prepare('UPDATE servers SET launch = ? WHERE identity = ?').run(launch, to)
  }
}

const rows = (database: DatabaseSync, sql: string) => database.prepare(sql).all()
