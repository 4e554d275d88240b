import type { CachedTool } from '../../../shared/api/cache.ts'
import type { Database } from '../ground/database/database.ts'
import type { Packed, Packing } from './pack-body.ts'
import type { SQLOutputValue } from 'node:sqlite'

export function outdateIn(database: Database, server: string): number {
  database.prepare('UPDATE generations SET count = count + 1 WHERE server = ?').run(server)
  return Number(
    database.prepare("DELETE FROM entries WHERE server = ? AND level = 'result'").run(server).changes,
  )
}

export function generationOf(database: Database, server: string): number | undefined {
  const row = database.prepare('SELECT count FROM generations WHERE server = ?').get(server)
  return row && Number(row['count'])
}

export const bodyOf = (database: Database, key: string): Row | undefined =>
  database.prepare('SELECT packing, body FROM entries WHERE key = ?').get(key)

export function toPacked(row: Row | undefined): Packed | undefined {
  if (!row || !(row['body'] instanceof Uint8Array)) return undefined
  const packing: Packing = row['packing'] === 'zstd' ? 'zstd' : 'json'
  return { packing, bytes: row['body'] }
}

export function totalsOf(database: Database): { entries: number; bytes: number } {
  const row = database.prepare('SELECT entries, bytes FROM totals').get()
  return { entries: Number(row?.['entries'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
}

/** By server, tool and level. */
export const sharesOf = (database: Database, server: string | undefined, now: number): CachedTool[] =>
  database
    .prepare(
      `SELECT server, tool, level, count(*) AS entries, sum(bytes) AS bytes, sum(hits) AS hits, max(created) AS youngest
       FROM entries WHERE server = coalesce(?, server) AND expires > ? GROUP BY server, tool, level
       ORDER BY server, tool, level DESC`,
    )
    .all(server ?? null, now)
    .map((row) => ({
      server: String(row['server']),
      tool: String(row['tool']),
      level: row['level'] === 'form' ? 'form' : 'result',
      entries: Number(row['entries']),
      bytes: Number(row['bytes']),
      hits: Number(row['hits']),
      youngest: Number(row['youngest']),
    }))

const SQLITE_CORRUPT = 11

const SQLITE_NOTADB = 26

export function isDamage(error: unknown): boolean {
  const code =
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
      ? error.errcode & 0xff
      : 0
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

export type Row = Record<string, SQLOutputValue>
