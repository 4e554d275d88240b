import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheMigrations } from '../../electron/engine/cache/cache-migrations.ts'
import { CacheStore } from '../../electron/engine/cache/cache-store.ts'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { holdLock } from '../helpers/held-lock.ts'
import { readingWorld } from '../helpers/reading-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** Another program (a backup, a database browser) holds the write lock; formerly each file waited five seconds. */

const BIG = { bytes: 60_000 }
const openCache = (dataDir: string): CacheStore => {
  const path = join(dataDir, 'cache.db')
  const options = { path, now: Date.now, logger: silentLogger }
  return new CacheStore({
    ...options,
    open: () => openDatabase({ ...options, migrations: cacheMigrations }),
    limits: () => ({ maxEntries: 100, maxBytes: 1e6 }),
  })
}
/** Too short for a wait of five seconds per write. */
const LIMIT_MS = 25_000

describe('sluice.db', () => {
  test(
    'calls go on, large results pass whole, and what was booked is written afterwards',
    { timeout: LIMIT_MS },
    async () => {
      const { engine, dataDir, connect } = await engineWorld({ s: testServer('big-result') }, {})
      const { call } = await connect()
      expect(await call('log', BIG)).toContain('[Compressed')
      const lock = await holdLock(join(dataDir, 'sluice.db'))
      for (const seed of [2, 3, 4]) {
        expect(await call('log', { ...BIG, seed })).toHaveLength(BIG.bytes)
        expect(await call('echo', { text: 'there' })).toBe('there')
      }
      await lock.release()
      await expect.poll(async () => (await engine.ledger.recentCalls(10)).length).toBe(7)
      const again = await call('log', { ...BIG, seed: 5 })
      expect(again).toContain('[Compressed')
      const id = /r_[0-9a-f]+/.exec(again)?.[0]
      expect(await call('proxy_read', { id, offset: 0 })).not.toBe('')
    },
  )

  test(
    'an engine ends while the lock is held, and the next one books its calls',
    { timeout: LIMIT_MS },
    async () => {
      const servers = { s: testServer('big-result') }
      const { engine, folder, dataDir, connect } = await engineWorld(servers, {})
      const { call, close } = await connect()
      const lock = await holdLock(join(dataDir, 'sluice.db'))
      await call('echo', { text: 'there' })
      await close()
      await engine.close()
      await lock.release()
      const next = await engineWorld(servers, {}, { folder })
      await expect
        .poll(() => next.engine.ledger.recentCalls(5))
        .toMatchObject([{ tool: 'echo', outcome: 'ok', note: undefined }])
    },
  )
})

describe('pins.db', () => {
  test(
    'what was approved passes, to a new client as well; what was not stays blocked',
    { timeout: LIMIT_MS },
    async () => {
      const settings = { approvals: { firstSight: 'ask' } }
      const known = testServer('big-result')
      const { approveAll, connect, dataDir } = await engineWorld(
        { s: known, unknown: testServer('reading') },
        settings,
      )
      const first = await connect()
      approveAll()
      await expect.poll(first.names).toContain('echo')
      await holdLock(join(dataDir, 'pins.db'))
      const { call } = await connect({ name: 'second' })
      expect(await call('echo', { text: 'there' })).toBe('there')
      const blocked = await connect({ scope: { kind: 'server', serverId: 'unknown' } })
      expect(await blocked.names()).toEqual(['sluice_blocked'])
    },
  )
})

describe('cache.db', () => {
  test('reads are answered, and nothing older than a write is used', { timeout: LIMIT_MS }, async () => {
    const { connect, dataDir } = await readingWorld()
    const { call, text } = await connect()
    const known = await text('read')
    expect(await text('read')).toBe(known)
    const lock = await holdLock(join(dataDir, 'cache.db'))
    expect(await text('read')).toBe(known)
    expect((await call('read', { of: 'another' })).isError).not.toBe(true)
    expect((await call('write', { value: 'new' })).isError).not.toBe(true)
    expect(await text('read')).toContain('new')
    // Before the lock is free, other engines don't see the write.
    const store = openCache(dataDir)
    expect(store.totals().entries).toBeGreaterThan(0)
    await lock.release()
    await expect.poll(() => store.list('s').filter(({ tool }) => tool === 'read')).toEqual([])
    store.close()
  })
})
