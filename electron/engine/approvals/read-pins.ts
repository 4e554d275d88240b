import type { SQLOutputValue } from 'node:sqlite'
import type { Database } from '../ground/database/database.ts'
import type { Change, HistoryEntry, PendingChange, Pin } from './pin.ts'
import type { PinnedKind } from './pinned-item.ts'

export type Row = Record<string, SQLOutputValue>
export const text = (row: Row, key: string): string => String(row[key])
const optionalText = (row: Row, key: string): string | undefined => {
  const value = row[key]
  return value === null || value === undefined ? undefined : String(value)
}
export const kindOf = (row: Row): PinnedKind => text(row, 'kind') as PinnedKind

export function readPending(database: Database, identity: string | undefined): PendingChange[] {
  const rows = database
    .prepare(
      `SELECT p.*, s.server_id, pins.definition AS before FROM pending p
       JOIN servers s ON s.identity = p.identity
       LEFT JOIN pins ON pins.identity = p.identity AND pins.kind = p.kind AND pins.name = p.name
       WHERE (? IS NULL OR p.identity = ?) ORDER BY s.server_id, p.at, p.kind, p.name`,
    )
    .all(identity ?? null, identity ?? null)
  return rows.map((row) => ({
    ...itemOf(row),
    definition: text(row, 'definition'),
    before: optionalText(row, 'before'),
  }))
}

/** Definitions are read on request: they may have 50 million characters. */
export function readWaiting(database: Database, identity: string): PendingChange[] {
  const rows = database
    .prepare(
      `SELECT p.identity, p.kind, p.name, p.change, p.hash, p.literal, p.at, p.denied_at, s.server_id FROM pending p
       JOIN servers s ON s.identity = p.identity WHERE p.identity = ? ORDER BY p.at, p.kind, p.name`,
    )
    .all(identity)
  return rows.map((row) => {
    const [kind, name] = [kindOf(row), text(row, 'name')]
    return {
      ...itemOf(row),
      get before() {
        return pinnedDefinition(database, identity, kind, name)
      },
      get definition() {
        return definitionIn(database, 'pending', identity, kind, name) ?? ''
      },
    }
  })
}

/** Definitions are read on request. */
export function readLightPins(database: Database, identity: string): Pin[] {
  const rows = database.prepare('SELECT kind, name, hash FROM pins WHERE identity = ?').all(identity)
  return rows.map((row): Pin => {
    const [kind, name] = [kindOf(row), text(row, 'name')]
    return {
      kind,
      name,
      hash: text(row, 'hash'),
      get definition() {
        return pinnedDefinition(database, identity, kind, name) ?? ''
      },
    }
  })
}

export const pinnedDefinition = (
  database: Database,
  identity: string,
  kind: PinnedKind,
  name: string,
): string | undefined => definitionIn(database, 'pins', identity, kind, name)

function definitionIn(
  database: Database,
  table: 'pins' | 'pending',
  identity: string,
  kind: PinnedKind,
  name: string,
): string | undefined {
  const row = database
    .prepare(`SELECT definition FROM ${table} WHERE identity = ? AND kind = ? AND name = ?`)
    .get(identity, kind, name)
  return row && text(row, 'definition')
}

const itemOf = (row: Row): Omit<PendingChange, 'definition' | 'before'> => ({
  identity: text(row, 'identity'),
  serverId: kindOf(row) === 'variables' ? text(row, 'name') : text(row, 'server_id'),
  kind: kindOf(row),
  name: text(row, 'name'),
  change: text(row, 'change') as Change,
  hash: text(row, 'hash'),
  literal: optionalText(row, 'literal'),
  at: Number(row['at']),
  deniedAt: row['denied_at'] === null ? undefined : Number(row['denied_at']),
})

export function readHistory(database: Database, identity: string | undefined, limit: number): HistoryEntry[] {
  const rows = database
    .prepare('SELECT * FROM history WHERE (? IS NULL OR identity = ?) ORDER BY id DESC LIMIT ?')
    .all(identity ?? null, identity ?? null, limit)
  return rows.map((row) => ({
    at: Number(row['at']),
    identity: text(row, 'identity'),
    serverId: text(row, 'server_id'),
    kind: kindOf(row),
    name: text(row, 'name'),
    action: text(row, 'action') as HistoryEntry['action'],
    by: text(row, 'done_by'),
    before: optionalText(row, 'before'),
    after: optionalText(row, 'after'),
  }))
}
