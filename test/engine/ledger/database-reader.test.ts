import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CHECKED_AT_ONCE, openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { createDatabaseReader } from '../../../electron/engine/ledger/database-reader.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { openRecords } from '../../../electron/engine/ledger/records.ts'
import { createResults } from '../../../electron/engine/results/create-results.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { Settings } from '../../../shared/settings.ts'
import { writeLargeLedger } from '../../bench/large-ledger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Larger than one portion of the check. */
const LARGE = { calls: 24_000, results: 4_000 }
const DAY = Math.floor(Date.now() / 86_400_000)

const logger = silentLogger
const never = (): never => {
  throw new Error('it was read on the main thread')
}

function largeFolder(): { dataDir: string; path: string } {
  const dataDir = temporaryFolder()
  writeLargeLedger(dataDir, LARGE)
  return { dataDir, path: join(dataDir, 'sluice.db') }
}

test('reports over a large ledger are made on another thread, and are those of this one', async () => {
  const { dataDir } = largeFolder()
  const workers = new WorkerPool({ logger })
  const settings = { current: Settings.parse({}) }
  const records = openRecords({
    dataDir,
    settings,
    events: createEvents(logger),
    logger,
    now: Date.now,
    workers,
    env: {},
    platform: process.platform,
    homeDir: dataDir,
  })
  onTestFinished(async () => {
    await records.close()
    await workers.close()
  })
  const { database, ledger, reader } = records
  const results = createResults({ database, dataDir, logger, now: Date.now, settings, workers, reader })
  const main = openDatabase({ path: join(dataDir, 'sluice.db'), logger, now: Date.now })
  onTestFinished(() => main.close())
  // Statements on this thread use this connection.
  Object.assign(database, { kysely: never })
  const { createLedger } = await import('../../../electron/engine/ledger/ledger.ts')
  const here = createLedger({ database: main })
  const range = { from: 0, to: Date.now() }
  expect(await ledger.report(range)).toEqual(await here.report(range))
  const wanted = { unit: 'day', timeZone: 'UTC', by: 'server' } as const
  expect(await ledger.timeline(range, wanted)).toEqual(await here.timeline(range, wanted))
  expect(await ledger.needs(range)).toEqual(await here.needs(range))
  const search = { text: 'tool-3', only: 'kept', limit: 5 } as const
  expect(await ledger.findCalls(search)).toEqual(await here.findCalls(search))
  const found = await results.list({ owner: 'client-1', server: 'server-1', limit: 7 })
  expect(found).toHaveLength(7)
  expect(found.every(({ owner, server }) => owner === 'client-1' && server === 'server-1')).toBe(true)
  expect(found.map(({ created }) => created)).toEqual(
    found.map(({ created }) => created).toSorted((a, b) => b - a),
  )
})

test('a large database is opened without being read whole, and looked through once a day beside the engine', async () => {
  const { path } = largeFolder()
  const database = openDatabase({ path, logger, now: Date.now })
  onTestFinished(() => database.close())
  const reader = createDatabaseReader({ database, logger, now: Date.now, checkAfterMs: 1 })
  onTestFinished(() => reader.close())
  const day = () => database.prepare('PRAGMA user_version').get()?.['user_version']
  await expect.poll(day).toBe(DAY)
})

test('damage deep in a large database is found while the engine runs: the file is set aside, and calls are booked anew', async () => {
  const { dataDir, path } = largeFolder()
  openDatabase({ path, logger, now: Date.now }).close()
  const bytes = readFileSync(path)
  expect(bytes.length).toBeGreaterThan(CHECKED_AT_ONCE)
  bytes.fill(7, bytes.length / 2, bytes.length / 2 + 40_960)
  writeFileSync(path, bytes)
  const said: string[] = []
  const database = openDatabase({
    path,
    logger: { ...logger, error: (message) => said.push(message) },
    now: Date.now,
  })
  onTestFinished(() => database.close())
  expect(said).toEqual([])
  const reader = createDatabaseReader({ database, logger, now: Date.now, checkAfterMs: 1 })
  onTestFinished(() => reader.close())
  await expect.poll(() => said.join()).toContain('is damaged. It was kept as')
  await database.write(() =>
    database.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', 't'),
  )
  expect(database.prepare('SELECT count(*) AS n FROM calls').get()?.['n']).toBe(0)
  expect(readdirSync(dataDir).filter((name) => name.includes('.damaged-')).length).toBeGreaterThan(0)
})

test('pins.db and the like are looked through whole, however large', () => {
  const { path } = largeFolder()
  openDatabase({ path, logger, now: Date.now }).close()
  const bytes = readFileSync(path)
  bytes.fill(7, bytes.length / 2, bytes.length / 2 + 40_960)
  writeFileSync(path, bytes)
  expect(() => openDatabase({ path, logger, now: Date.now, onDamage: 'throw' })).toThrow(
    expect.objectContaining({ code: 'DATABASE_DAMAGED' }),
  )
})
