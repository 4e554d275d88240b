import { appOfBuiltIn } from '../../../shared/built-in.ts'
import type { Kysely } from 'kysely'
import type { KnownTurns, Savings, TimeRange } from '../../../shared/api/savings.ts'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import { readEntries, type LedgerEntry } from './ledger-entries.ts'
import { addSavings, noSavings } from './savings.ts'

export interface LedgerReport {
  readonly range: TimeRange
  /** What all sums are made of. */
  readonly entries: readonly LedgerEntry[]
  readonly known: KnownTurns
  readonly totals: Savings
  /** Of the totals, apps' own tools: what hooks brought. */
  readonly builtIn: Savings
  readonly byServer: readonly (Savings & { server: string })[]
  readonly byTool: readonly (Savings & { server: string; tool: string })[]
  readonly byClient: readonly (Savings & { client: string })[]
  readonly byStrategy: readonly (Savings & { strategy: string })[]
  /** By the folder of the client; empty where it isn't told. */
  readonly byProject: readonly (Savings & { project: string })[]
}

export async function readReport(database: Kysely<DatabaseTables>, range: TimeRange): Promise<LedgerReport> {
  const { entries, known } = await readEntries(database, range)
  return { range, entries, known, ...foldEntries(entries) }
}

export const foldEntries = (
  entries: readonly LedgerEntry[],
): Omit<LedgerReport, 'range' | 'entries' | 'known'> => ({
  totals: entries.reduce(addSavings, noSavings()),
  builtIn: entries.filter(({ server }) => appOfBuiltIn(server) !== undefined).reduce(addSavings, noSavings()),
  byServer: fold(entries, ({ server }) => ({ server })),
  byTool: fold(entries, ({ server, tool }) => ({ server, tool })),
  byClient: fold(entries, ({ client }) => ({ client })),
  byStrategy: fold(entries, ({ strategy }) => ({ strategy })),
  byProject: fold(entries, ({ project }) => ({ project })),
})

/** By key, greatest saving first. */
function fold<Key extends Record<string, string>>(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => Key,
): (Savings & Key)[] {
  const rows = new Map<string, Savings & Key>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const name = JSON.stringify(key)
    rows.set(name, { ...key, ...addSavings(rows.get(name) ?? noSavings(), entry) })
  }
  return [...rows.entries()]
    .sort(([nameA, a], [nameB, b]) => b.net - a.net || (nameA < nameB ? -1 : 1))
    .map(([, row]) => row)
}
