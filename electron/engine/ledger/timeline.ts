import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import { HOUR_MS, sumsBy, totalsOfSums } from './call-sums.ts'
import { readFetches } from './read-fetches.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { LIST_ROW, OWN_SERVER } from './ledger-entries.ts'
import type { Savings, TimeRange } from '../../../shared/api/savings.ts'
import { noSavings, withNet } from './savings.ts'

type TimelineUnit = 'hour' | 'day' | 'month'
/** `at`: of its first event, rounded to the hour or to a quarter of it. */
type TimelinePoint = Savings & { at: number; label: string }

const TIMELINE_GROUPS = ['server', 'tool', 'client', 'strategy'] as const
type TimelineGroup = (typeof TIMELINE_GROUPS)[number]
type TimelineFilter = { readonly [Group in TimelineGroup]?: string | undefined }

export interface TimelineOptions {
  readonly unit: TimelineUnit
  /** IANA name. */
  readonly timeZone: string
  /** One per server, tool, … */
  readonly by?: TimelineGroup | undefined
  readonly only?: TimelineFilter
}

export interface Timeline {
  readonly points: TimelinePoint[]
  /** Greatest saving first. */
  readonly series: { readonly key: string; readonly points: TimelinePoint[] }[]
}

/** In every time zone, hours, days and months begin on a quarter of an hour. */
const SLOT_MS = 900_000

type Slot = Savings & { slot: number; key: string }

export async function readTimeline(
  database: Kysely<DatabaseTables>,
  range: TimeRange,
  { unit, timeZone, by, only = {} }: TimelineOptions,
): Promise<Timeline> {
  const read = { database, range, by, only }
  const hours = await callSlots(read, HOUR_MS)
  const calls = haveWholeHours(hours, timeZone) ? hours : await callSlots(read, 0)
  const slots = [...calls, ...(await fetchSlots(read)), ...(await additionSlots(read))]
    .map(withNet)
    .sort((a, b) => a.slot - b.slot)
  const label = labeller(unit, timeZone)
  if (by === undefined) return { points: pointsOf(slots, label), series: [] }
  const series = [...Map.groupBy(slots, ({ key }) => key)]
    .map(([key, own]) => ({ key, points: pointsOf(own, label) }))
    .sort((a, b) => netOf(b.points) - netOf(a.points) || (a.key < b.key ? -1 : 1))
  return { points: pointsOf(slots, label), series }
}

interface Reading {
  readonly database: Kysely<DatabaseTables>
  readonly range: TimeRange
  readonly by: TimelineGroup | undefined
  readonly only: TimelineFilter
}

const slotOf = (column: 'at' | 'fetches.at') =>
  sql<number>`cast(${sql.ref(column)} / ${sql.lit(SLOT_MS)} as integer)`
/** One key for all without groups. */
const keyOf = (by: TimelineGroup | undefined) =>
  by === undefined ? sql<string>`''` : sql<string>`${sql.ref(by)}`

/** `longest`: of the sums that are read. */
async function callSlots({ database, range, by, only }: Reading, longest: number): Promise<Slot[]> {
  const wanted = TIMELINE_GROUPS.flatMap((group) =>
    only[group] === undefined ? [] : [sql`${sql.ref(group)} = ${only[group]}`],
  )
  const where = sql.join([sql`client <> ${SCREENS_CLIENT}`, ...wanted], sql` AND `)
  const rows = await database
    .selectFrom(sumsBy(keyOf(by), where, range, longest).as('sums'))
    .select([slotOf('at').as('slot'), 'key', ...totalsOfSums])
    .groupBy(['slot', 'key'])
    .execute()
  return rows.filter(({ calls }) => calls > 0).map((row) => Object.assign(row, { fetched: 0, net: 0 }))
}

async function fetchSlots({ database, range, by, only }: Reading): Promise<Slot[]> {
  const rows = await readFetches(database, range, slotOf('fetches.at'))
  const slots = rows.map(({ slot, fetched, ...place }) => ({ ...noSavings(), slot, fetched, place }))
  return slotsFor(slots, by, only)
}

async function additionSlots({ database, range, by, only }: Reading): Promise<Slot[]> {
  const rows = await database
    .selectFrom('additions')
    .select(['server', 'client', slotOf('at').as('slot')])
    .select((e) => e.fn.sum<number>('tokens').as('added'))
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .groupBy(['slot', 'server', 'client'])
    .execute()
  const slots = rows.map((row) => ({
    ...noSavings(),
    slot: row.slot,
    added: row.added,
    place: {
      server: row.server === '' ? OWN_SERVER : row.server,
      tool: LIST_ROW,
      client: row.client,
      strategy: LIST_ROW,
    },
  }))
  return slotsFor(slots, by, only)
}

/** By series. */
const slotsFor = (
  slots: readonly (Omit<Slot, 'key'> & { readonly place: Record<TimelineGroup, string> })[],
  by: TimelineGroup | undefined,
  only: TimelineFilter,
): Slot[] =>
  slots
    .filter(({ place }) => fits(place, only))
    .map(({ place, ...slot }) => ({ ...slot, key: by === undefined ? '' : place[by] }))

const fits = (place: Record<TimelineGroup, string>, only: TimelineFilter): boolean =>
  TIMELINE_GROUPS.every((group) => only[group] === undefined || only[group] === place[group])

function pointsOf(slots: readonly Slot[], label: (at: number) => string): TimelinePoint[] {
  const points = new Map<string, TimelinePoint>()
  for (const row of slots) {
    const at = row.slot * SLOT_MS
    const name = label(at)
    const point = points.get(name) ?? { ...noSavings(), at, label: name }
    // In place: a month of hours and servers is many thousand rows.
    for (const count of SUMMED) point[count] += row[count]
    points.set(name, point)
  }
  return [...points.values()]
}

const SUMMED = Object.keys(noSavings()) as (keyof Savings)[]

const netOf = (points: readonly TimelinePoint[]): number => points.reduce((sum, { net }) => sum + net, 0)

/** Whether hours of this time zone begin with those of UTC, at all these times. */
function haveWholeHours(slots: readonly Slot[], timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' })
  const hours = new Set(slots.map(({ slot }) => Math.floor((slot * SLOT_MS) / HOUR_MS)))
  return [...hours].every((hour) => format.format(hour * HOUR_MS) === '0')
}

/** Local time: `2026-03-01 14:00`, `2026-03-01` or `2026-03`. */
function labeller(unit: TimelineUnit, timeZone: string): (at: number) => string {
  // Swedish dates have ISO 8601's form.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    ...(unit === 'month' ? {} : { day: '2-digit' }),
    ...(unit === 'hour' ? { hour: '2-digit', hourCycle: 'h23' } : {}),
  })
  // Formatting takes longer than reading, and each series has the same hours.
  const known = new Map<number, string>()
  return (at) => {
    const label = known.get(at) ?? (unit === 'hour' ? `${format.format(at)}:00` : format.format(at))
    known.set(at, label)
    return label
  }
}
