import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../../electron/engine/ground/database/database.ts'
import { migrations } from '../../../electron/engine/ground/database/migrations/migrations.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { laterTurns, modelOf, projectOf } from '../../../electron/engine/ledger/later-turns.ts'
import { createLedger, type Ledger } from '../../../electron/engine/ledger/ledger.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = 20_000 * DAY

function makeLedger() {
  const database = openDatabase({ path: ':memory:', logger: silentLogger, now: () => START })
  const ledger = createLedger({ database })
  let last = 0
  const add = (at: number, changes: Partial<CallRow> = {}): string => {
    const id = `c_${++last}`
    ledger.recordCall({ ...plain, id, at, ...changes })
    return id
  }
  return { database, ledger, add }
}

const plain: CallRow = {
  id: '',
  at: 0,
  client: 'app',
  session: 's',
  server: 'one',
  tool: 'read',
  outcome: 'ok',
  tokensBefore: 10,
  tokensAfter: 4,
  tokensAdded: 1,
  strategy: undefined,
  resultId: undefined,
  ms: 1,
  cached: false,
  note: undefined,
}

/** From the calls themselves. */
const counted = (database: ReturnType<typeof makeLedger>['database'], from: number, to: number) => ({
  ...database
    .prepare(
      `SELECT count(*) AS calls, coalesce(sum(tokens_before), 0) AS before, coalesce(sum(outcome = 'error'), 0) AS errors
       FROM calls WHERE at >= ? AND at < ?`,
    )
    .get(from, to),
})

test('every range gives what its calls give, wherever it begins and ends', async () => {
  const { database, ledger, add } = makeLedger()
  for (let n = 0; n < 400; n++)
    add(START + n * 1_111_111, {
      tool: `tool-${n % 3}`,
      outcome: n % 7 === 0 ? 'error' : 'ok',
      tokensBefore: n,
      ...(n % 2 === 0 ? { strategy: 'json' } : {}),
    })
  const edges = [0, 1, HOUR - 1, HOUR, DAY - 1, DAY, DAY + HOUR + 5, 3 * DAY + 17, 4 * DAY, 9 * DAY]
  for (const from of edges)
    for (const to of edges) {
      const { totals } = await ledger.report({ from: START + from, to: START + to })
      const { calls, before, errors } = totals
      expect({ calls, before, errors }, `${from} to ${to}`).toEqual(
        counted(database, START + from, START + to),
      )
    }
})

test('a call that was recorded as ended with its engine, and ended after all, counts once and as it ended', async () => {
  const { ledger, add } = makeLedger()
  const id = add(START, { outcome: 'error', tokensBefore: 0, tokensAfter: 0 })
  ledger.recordCall({ ...plain, id, at: START })
  const { totals } = await ledger.report({ from: START - 2 * DAY, to: START + 2 * DAY })
  expect(totals).toMatchObject({ calls: 1, errors: 0, before: 10, after: 4 })
})

test('what is forgotten leaves the sums, also in the middle of an hour', async () => {
  const { ledger, add } = makeLedger()
  for (const at of [0, DAY, 2 * DAY + 10, 2 * DAY + HOUR / 2, 3 * DAY]) add(START + at)
  expect(await ledger.forgetBefore(START + 2 * DAY + HOUR / 3)).toBe(3)
  const { totals } = await ledger.report({ from: 0, to: START + 9 * DAY })
  expect(totals).toMatchObject({ calls: 2, before: 20 })
})

test('days of a time zone that begins them at half past are right', async () => {
  const { ledger, add } = makeLedger()
  // Midnight in Kolkata is 18:30 in UTC.
  add(START + 18 * HOUR + 20 * 60_000)
  add(START + 18 * HOUR + 40 * 60_000)
  const range = { from: START, to: START + 2 * DAY }
  const { points } = await ledger.timeline(range, { unit: 'day', timeZone: 'Asia/Kolkata' })
  expect(points.map(({ label, calls }) => [label, calls])).toEqual([
    ['2024-10-04', 1],
    ['2024-10-05', 1],
  ])
})

test('a text is looked for in names and notes', async () => {
  const { ledger, add } = makeLedger()
  const named = add(START, { tool: 'search_100%' })
  const noted = add(START + 1, { note: 'the server said 100% no' })
  add(START + 2, { note: 'something else' })
  const found = await ledger.findCalls({ text: '100%', limit: 9 })
  expect(found.map(({ id }) => id)).toEqual([noted, named])
  expect(await ledger.findCalls({ text: 'nowhere', limit: 9 })).toEqual([])
})

/** Repeatable numbers in 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const DAYS = 5

/** Sessions with a folder, turns, both or neither; some folders are told after calls. */
async function fill(ledger: Ledger, random: () => number): Promise<void> {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const anyTime = (): number => START + Math.floor(random() * DAYS * DAY)
  const tellFolder = (n: number) =>
    ledger.recordSession({ at: START, client: 'app', session: `s${n}`, project: `/folder/${n % 3}` })
  for (const n of [0, 1, 2, 3]) await tellFolder(n)
  const turns = Array.from({ length: 60 }, () => ({ at: anyTime(), session: pick('s0', 's1', 's6', 's7') }))
  for (const turn of turns.toSorted((a, b) => a.at - b.at))
    await ledger.recordTurns([
      {
        ...turn,
        client: 'app',
        isCompacted: random() < 0.2,
        ...pick({}, { model: 'm' }),
      },
    ])
  const rows = Array.from({ length: 600 }, (_, n): CallRow => {
    const tokensBefore = Math.floor(random() * 900)
    return {
      ...plain,
      id: `c_${n}`,
      at: anyTime(),
      session: `s${Math.floor(random() * 10)}`,
      server: pick('one', 'two'),
      tool: pick('read', 'find', 'list'),
      client: pick('app', 'other', SCREENS_CLIENT),
      outcome: pick('ok', 'ok', 'error', 'refused', 'cancelled'),
      tokensBefore,
      tokensAfter: Math.floor(random() * tokensBefore),
      tokensAdded: pick(0, 3),
      strategy: pick(undefined, 'json', 'log'),
      cached: random() < 0.3,
    }
  })
  for (let from = 0; from < rows.length; from += 50) ledger.recordCalls(rows.slice(from, from + 50))
  for (const row of rows.slice(0, 40))
    ledger.correctCall({ ...row, tokensAfter: row.tokensBefore, strategy: undefined })
  for (const n of [1, 4, 6]) await tellFolder(n)
}

const SUMMED = [
  'calls',
  'errors',
  'refused',
  'cancelled',
  'cached',
  'before',
  'after',
  'added',
  'later',
  'written',
]

/** Sums by these places, without the keys of others. */
function grouped(rows: readonly object[], places: readonly string[], summed = SUMMED) {
  const groups = new Map<string, Record<string, number>>()
  for (const row of rows as readonly Record<string, string | number>[]) {
    const key = places.map((place) => row[place]).join(' | ')
    const sums = groups.get(key) ?? Object.fromEntries(summed.map((name) => [name, 0]))
    for (const name of summed) sums[name] = Number(sums[name]) + Number(row[name])
    groups.set(key, sums)
  }
  return Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** One row for each call, straight from `calls`. */
async function callsOneByOne(database: Database, from: number, to: number) {
  const session = sql.ref('calls.session')
  const rows = await (
    await database.kysely()
  )
    .selectFrom('calls')
    .selectAll()
    .select([modelOf(session).as('model'), projectOf(session).as('project')])
    .select(laterTurns({ session, at: sql.ref('calls.at'), to }).as('turns'))
    .where('client', '!=', SCREENS_CLIENT)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute()
  return rows.map((row) => ({
    at: row.at,
    session: row.session,
    server: row.server,
    tool: row.tool,
    client: row.client,
    strategy: row.strategy ?? 'none',
    model: row.model ?? '',
    project: row.project ?? '',
    calls: 1,
    errors: Number(row.outcome === 'error'),
    refused: Number(row.outcome === 'refused'),
    cancelled: Number(row.outcome === 'cancelled'),
    cached: row.cached,
    before: row.tokens_before,
    after: row.tokens_after,
    added: row.tokens_added,
    written: row.tokens_added,
    later: (row.tokens_before - row.tokens_after - row.tokens_added) * row.turns,
  }))
}

async function expectSameFigures(database: Database, random: () => number): Promise<void> {
  const ledger = createLedger({ database })
  for (const timeZone of [
    'UTC',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  ]) {
    const [one, other] = [random(), random()].map(
      (part) => START + Math.floor((part * 1.2 - 0.1) * DAYS * DAY),
    )
    const [from, to] = [Math.min(Number(one), Number(other)), Math.max(Number(one), Number(other))]
    const calls = await callsOneByOne(database, from, to)
    const report = await ledger.report({ from, to })
    const places = ['server', 'tool', 'client', 'strategy', 'model', 'project']
    expect(grouped(report.entries, places), `${from} to ${to}`).toEqual(grouped(calls, places))
    const sessions = [...new Set(calls.map(({ session }) => session))]
    const hasTurns = database.prepare('SELECT 1 FROM turns WHERE session = ? AND at < ?')
    const withTurns = sessions.filter((session) => hasTurns.get(session, to))
    expect(report.known).toMatchObject({ sessions: sessions.length, sessionsWithTurns: withTurns.length })
    for (const unit of ['hour', 'day', 'month'] as const) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
      const length = { hour: 13, day: 10, month: 7 }[unit]
      const labelled = calls.map((call) => ({
        ...call,
        label: format.format(call.at).slice(0, length) + (unit === 'hour' ? ':00' : ''),
      }))
      const summed = SUMMED.slice(0, 8)
      const { points } = await ledger.timeline({ from, to }, { unit, timeZone })
      expect(grouped(points, ['label'], summed), timeZone).toEqual(grouped(labelled, ['label'], summed))
      const { series } = await ledger.timeline(
        { from, to },
        { unit, timeZone, by: 'strategy', only: { tool: 'read' } },
      )
      const parts = series.flatMap(({ key, points: own }) =>
        own.map((point) => ({ ...point, strategy: key })),
      )
      const read = labelled.filter(({ tool }) => tool === 'read')
      expect(grouped(parts, ['strategy', 'label'], summed)).toEqual(
        grouped(read, ['strategy', 'label'], summed),
      )
    }
  }
}

test('sums give what calls one by one give, also once old ones are forgotten', async () => {
  const random = randomNumbers(20)
  const { database, ledger } = makeLedger()
  await fill(ledger, random)
  await expectSameFigures(database, random)
  for (const days of [1.37, 2, 3.611]) {
    await ledger.forgetBefore(START + Math.floor(days * DAY))
    await expectSameFigures(database, random)
  }
})

test('sums of a ledger from before them are what its calls give', async () => {
  const random = randomNumbers(8)
  const { database, ledger } = makeLedger()
  await fill(ledger, random)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sums-'))
  onTestFinished(() => removeFolder(folder))
  const path = join(folder, 'sluice.db')
  const options = { path, logger: silentLogger, now: () => START }
  const before = openDatabase({ ...options, migrations: migrations.filter(({ version }) => version < 8) })
  for (const table of ['calls', 'sessions', 'turns']) {
    const known = new Set(
      before
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name),
    )
    for (const row of database.prepare(`SELECT * FROM ${table}`).all()) {
      const names = Object.keys(row).filter((name) => known.has(name))
      before
        .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...names.map((name) => row[name] ?? null))
    }
  }
  before.close()
  const migrated = openDatabase(options)
  onTestFinished(() => migrated.close())
  await expectSameFigures(migrated, random)
})
