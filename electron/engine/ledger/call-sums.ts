import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../ground/database/database.ts'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import type { CallRow } from './call-row.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of the rows in `call_sums`; each divides the next. */
const SPANS = [HOUR_MS, DAY_MS]
/** Of calls without one. */
export const NO_STRATEGY = 'none'

export const COUNTED = [
  'calls',
  'errors',
  'refused',
  'cancelled',
  'cached',
  'before',
  'after',
  'added',
] as const
type Counts = Record<(typeof COUNTED)[number], number>
type Places = readonly [
  at: number,
  server: string,
  tool: string,
  client: string,
  strategy: string,
  project: string,
]
interface Sum {
  readonly places: Places
  readonly counts: Counts
}

/** For every query over `sumsIn`. */
export const totalsOfSums = COUNTED.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name))

const startOf = (at: number, span: number): number => Math.floor(at / span) * span

/** In the transaction that writes these rows; `times` is −1 for rows that are taken out. */
export function addToSums(
  database: Pick<Database, 'prepare'>,
  rows: readonly CallRow[],
  times: 1 | -1 = 1,
): void {
  const write = database.prepare(ADD)
  const find = database.prepare('SELECT project FROM sessions WHERE session = ?')
  const projects = new Map(
    [...new Set(rows.map(({ session }) => session))].map((session) => [
      session,
      String(find.get(session)?.['project'] ?? ''),
    ]),
  )
  let sums: readonly Sum[] = rows.map((row) => {
    const { at, server, tool, client, strategy = NO_STRATEGY } = row
    const places = [at, server, tool, client, strategy, projects.get(row.session) ?? ''] as const
    return { places, counts: countsOf(row) }
  })
  for (const span of SPANS) {
    sums = addedUp(sums, span)
    for (const { places, counts } of sums)
      write.run(span, ...places, ...COUNTED.map((name) => times * counts[name]))
  }
}

/** Of hours, those of days. */
function addedUp(parts: readonly Sum[], span: number): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { places, counts } of parts) {
    const [at, ...others] = places
    const start = startOf(at, span)
    const key = JSON.stringify([start, others])
    const sum = sums.get(key)
    if (sum) for (const name of COUNTED) sum.counts[name] += counts[name]
    else sums.set(key, { places: [start, ...others], counts: { ...counts } })
  }
  return [...sums.values()]
}

const ADD = `INSERT INTO call_sums VALUES (?, ?, ?, ?, ?, ?, ?, ${COUNTED.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${COUNTED.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

const countsOf = ({ outcome, cached, tokensBefore, tokensAfter, tokensAdded }: CallRow): Counts => ({
  calls: 1,
  errors: outcome === 'error' ? 1 : 0,
  refused: outcome === 'refused' ? 1 : 0,
  cancelled: outcome === 'cancelled' ? 1 : 0,
  cached: cached ? 1 : 0,
  before: tokensBefore,
  after: tokensAfter,
  added: tokensAdded,
})

/** After the calls before `time` were deleted. */
export function forgetSums(database: Pick<Database, 'prepare'>, time: number): void {
  for (const span of SPANS)
    database.prepare('DELETE FROM call_sums WHERE span = ? AND at <= ?').run(span, startOf(time, span))
  const [hour, day] = [startOf(time, HOUR_MS), startOf(time, DAY_MS)]
  const counted = COUNTED.map((name) => `sum(${name})`).join(', ')
  database
    .prepare(
      `INSERT INTO call_sums SELECT ?, ?, ${PLACES}, ${counted}
       FROM (SELECT ${COLUMNS} FROM calls WHERE at >= ? AND at < ?) GROUP BY ${PLACES}`,
    )
    .run(HOUR_MS, hour, hour, hour + HOUR_MS)
  database
    .prepare(
      `INSERT INTO call_sums SELECT ?, ?, ${PLACES}, ${counted}
       FROM call_sums WHERE span = ? AND at >= ? AND at < ? GROUP BY ${PLACES}`,
    )
    .run(DAY_MS, day, HOUR_MS, day, day + DAY_MS)
}

const PLACES = 'server, tool, client, strategy, project'

/** One call as a row of sums. */
const COLUMNS = `at, server, tool, client, coalesce(strategy, '${NO_STRATEGY}') AS strategy,
  coalesce((SELECT s.project FROM sessions s WHERE s.session = calls.session), '') AS project, 1 AS calls,
  outcome = 'error' AS errors, outcome = 'refused' AS refused, outcome = 'cancelled' AS cancelled, cached,
  tokens_before AS before, tokens_after AS after, tokens_added AS added`

type SumRow = Omit<DatabaseTables['call_sums'], 'span'>

/** Calls of a range, from the coarsest sums that fit inside it, which none of `longest` is longer than. */
export function sumsIn(range: TimeRange, longest: number = DAY_MS): RawBuilder<SumRow> {
  const { calls, sums } = partsOf(range, longest)
  const parts = [
    ...calls.map(
      ({ from, to }) => sql`SELECT ${sql.raw(COLUMNS)} FROM calls WHERE at >= ${from} AND at < ${to}`,
    ),
    ...sums.map(
      ({ span, from, to }) =>
        sql`SELECT at, ${sql.raw(`${PLACES}, ${COUNTED.join(', ')}`)} FROM call_sums
            WHERE span = ${span} AND at >= ${from} AND at < ${to}`,
    ),
  ]
  return sql`(${sql.join(parts, sql` UNION ALL `)})`
}

/**
 * The same by time and one place, added up in each part: the sums' own order is by time and server, so most of them
 * need no sorting.
 */
export function sumsBy(
  key: RawBuilder<string>,
  where: RawBuilder<unknown>,
  range: TimeRange,
  longest: number,
): RawBuilder<Pick<SumRow, 'at' | (typeof COUNTED)[number]> & { key: string }> {
  const { calls, sums } = partsOf(range, longest)
  const added = sql.raw(COUNTED.map((name) => `sum(${name}) AS ${name}`).join(', '))
  const parts = [
    ...calls.map(
      ({ from, to }) =>
        sql`SELECT at, ${key} AS key, ${sql.raw(COUNTED.join(', '))} FROM
            (SELECT ${sql.raw(COLUMNS)} FROM calls WHERE at >= ${from} AND at < ${to}) WHERE ${where}`,
    ),
    ...sums.map(
      ({ span, from, to }) =>
        sql`SELECT at, ${key} AS key, ${added} FROM call_sums
            WHERE span = ${span} AND at >= ${from} AND at < ${to} AND ${where} GROUP BY at, key`,
    ),
  ]
  return sql`(${sql.join(parts, sql` UNION ALL `)})`
}

interface Parts {
  /** One at least. */
  readonly calls: readonly TimeRange[]
  readonly sums: readonly (TimeRange & { readonly span: number })[]
}

function partsOf(range: TimeRange, longest: number): Parts {
  const sums: (TimeRange & { span: number })[] = []
  let rest: readonly TimeRange[] = [range]
  for (const span of SPANS.toReversed()) {
    if (span > longest) continue
    rest = rest.flatMap(({ from, to }) => {
      const [first, last] = [startOf(from + span - 1, span), startOf(to, span)]
      if (first >= last) return [{ from, to }]
      sums.push({ span, from: first, to: last })
      return [
        { from, to: first },
        { from: last, to },
      ]
    })
  }
  return { calls: rest, sums }
}
