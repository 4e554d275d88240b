import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import type { Database } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { ResultStore } from '../../../electron/engine/results/store.ts'
import type { NewResult, ResultStoreOptions } from '../../../electron/engine/results/store.ts'
import { canMountSmallDisks, smallDisk } from '../../helpers/small-disk.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

const HOUR = 3_600_000
let base: string
let folder: string
let database: Database
let clock: number

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  folder = join(base, 'results')
  clock = Date.now()
  database = openDatabase({ path: join(base, 'sluice.db'), logger: silentLogger, now: () => clock })
})
afterEach(() => {
  database.close()
  removeFolder(base)
})

const makeStore = (options: Partial<ResultStoreOptions> = {}) =>
  new ResultStore({
    database,
    folder,
    logger: silentLogger,
    now: () => clock,
    limits: () => ({ ttlMs: 24 * HOUR, maxBytes: 1_000_000 }),
    ...options,
  })

const entry = (text: string, more: Partial<NewResult> = {}): NewResult => ({
  owner: 'claude',
  server: 'files',
  tool: 'read',
  result: { content: [{ type: 'text', text }] },
  ...more,
})

/** Text that zstd hardly compresses. */
const noise = (bytes: number) =>
  Array.from({ length: bytes / 16 }, () => Math.random().toString(16).slice(2, 18).padEnd(16, 'x')).join('')

const files = () => readdirSync(folder).filter((name) => name.endsWith('.zst'))

const canMount = canMountSmallDisks()
if (!canMount)
  console.warn('Skipped: only a superuser of Linux can mount the small disk of store-bounds.test.ts.')

/** Table reads per statement: `SCAN` without an index grows with the number of kept results. */
function watchStatements(): { scans: () => string[] } {
  const statements = new Set<string>()
  const prepare = database.prepare.bind(database)
  Object.assign(database, {
    prepare: (sql: string) => {
      statements.add(sql)
      return prepare(sql)
    },
  })
  const planOf = (sql: string): string[] =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1))
      .map((row) => String(row['detail']))
  // Reads in index order and takes one row.
  const takesFirst = (sql: string, step: string): boolean =>
    step.endsWith('results_kept_by_age') && sql.endsWith('ORDER BY created, id DESC LIMIT 1')
  return {
    scans: () =>
      [...statements].flatMap((sql) =>
        planOf(sql).filter((step) => /^SCAN (?!result_totals)/.test(step) && !takesFirst(sql, step)),
      ),
  }
}

/** The sum per result, as before the total was kept. */
const sumOfFiles = (): unknown =>
  database
    .prepare(
      'SELECT coalesce(sum(bytes), 0) AS total FROM (SELECT max(stored_size) AS bytes FROM results WHERE removed IS NULL GROUP BY sha256)',
    )
    .get()?.['total']
const keptTotal = (): unknown => database.prepare('SELECT bytes FROM result_totals').get()?.['bytes']

describe('what ResultStore costs', () => {
  test('nothing that is done for one result reads all of them', async () => {
    const watched = watchStatements()
    const store = makeStore({ limits: () => ({ ttlMs: 24 * HOUR, maxBytes: 9_000 }) })
    for (let n = 0; n < 3; n++) {
      const { id, owner } = await store.put(entry(noise(10_000), { callKey: `key-${n}` }))
      clock += 1000
      store.find(id, owner)
      store.findByCall(owner, `key-${n}`)
    }
    clock += 25 * HOUR
    await store.sweep()
    clock += 8 * 24 * HOUR
    await store.sweep()
    expect(watched.scans()).toEqual([])
  })

  test('a reader sees an original whole or not at all, while it is written', async () => {
    const store = makeStore({ limits: () => ({ ttlMs: HOUR, maxBytes: 100_000_000 }) })
    const sizes = new Map<string, Set<number>>()
    const written = new AbortController()
    const reading = (async () => {
      while (!written.signal.aborted) {
        for (const name of existsSync(folder) ? files() : [])
          sizes.set(name, (sizes.get(name) ?? new Set()).add(statSync(join(folder, name)).size))
        await setImmediate()
      }
    })()
    for (let n = 0; n < 5; n++) await store.put(entry(noise(1_000_000)))
    // The reader's turn: it sees the last one, too.
    await setImmediate()
    written.abort()
    await reading
    expect([...sizes.values()].map((seen) => seen.size)).toEqual([1, 1, 1, 1, 1])
  })

  test('the total that is kept is the sum of the files, whatever comes and goes', async () => {
    const store = makeStore({ limits: () => ({ ttlMs: 24 * HOUR, maxBytes: 60_000 }) })
    const texts = Array.from({ length: 6 }, () => noise(8_000))
    const owners = ['claude', 'cursor', 'code']
    for (let n = 0; n < 60; n++) {
      clock += HOUR
      const owner = owners[n % 3] ?? ''
      const { id } = await store.put(entry(texts[Math.floor(n / 4) % 6] ?? '', { owner }))
      if (n % 5 === 0) store.delete(id)
      if (n % 11 === 0) await store.sweep()
      expect(keptTotal()).toBe(sumOfFiles())
    }
    clock += 25 * HOUR
    await store.sweep()
    expect([keptTotal(), sumOfFiles()]).toEqual([0, 0])
  })

  test.skipIf(!canMount)('on a full disk the oldest go, and the new one is kept', async () => {
    const disk = smallDisk('4m', onTestFinished)
    const own = openDatabase({ path: join(disk, 'sluice.db'), logger: silentLogger, now: () => clock })
    onTestFinished(() => own.close())
    const limits = () => ({ ttlMs: 24 * HOUR, maxBytes: 100_000_000 })
    const store = makeStore({ database: own, folder: join(disk, 'results'), limits })
    const ids: string[] = []
    for (let n = 0; n < 40; n++) {
      clock += 1000
      ids.push((await store.put(entry(noise(400_000)))).id)
    }
    const kept = await store.list()
    expect(kept.map(({ id }) => id)).toEqual(ids.slice(-kept.length).toReversed())
    expect(kept.length).toBeGreaterThan(1)
    for (const stored of kept) expect(await store.load(stored)).toHaveProperty('content')
    expect(() => store.get(ids[0] ?? '', 'claude')).toThrow(
      expect.objectContaining({ code: 'RESULT_EXPIRED' }),
    )
  })

  test('a full disk on which nothing of Sluice could go is STORE_FAILED, once', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const store = makeStore({ pack: () => Promise.reject(full) })
    await expect(store.put(entry('x'.repeat(300_000)))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })
})
