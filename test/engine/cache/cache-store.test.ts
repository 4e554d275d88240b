import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheMigrations } from '../../../electron/engine/cache/cache-migrations.ts'
import { CacheStore } from '../../../electron/engine/cache/cache-store.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { runHere } from '../../helpers/run-here.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

function open(folder = temporaryFolder(), limits = { maxEntries: 100, maxBytes: 50_000 }) {
  const path = join(folder, 'cache.db')
  let time = 1000
  const now = (): number => ++time
  const store = new CacheStore({
    path,
    open: () =>
      openDatabase({ path, logger: silentLogger, now, migrations: cacheMigrations, isChecked: false }),
    limits: () => limits,
    now,
    logger: silentLogger,
  })
  const put = (key: string, bytes = 10, server = 's', generation?: number): boolean =>
    store.put(
      {
        key,
        level: 'result',
        server,
        tool: 't',
        client: 'c',
        created: now(),
        expires: Date.now() + 60_000,
        facts: {},
        body: { packing: 'json', bytes: Buffer.alloc(bytes) },
      },
      generation,
    )
  return { folder, path, store, put }
}

describe('the limits', () => {
  test('MCPCP fault: no limit in bytes, and the oldest went instead of the unused; here both limits hold', () => {
    const { store, put } = open()
    for (let n = 0; n < 250; n++) {
      put(`k${n}`)
      if (n >= 50) store.use('k50')
    }
    expect(store.totals().entries).toBe(100)
    expect(store.find('k50')).toBeDefined()
    expect(store.find('k149')).toBeUndefined()
    expect(store.find('k249')).toBeDefined()
    for (let n = 0; n < 40; n++) put(`large${n}`, 5_000)
    expect(store.totals().bytes).toBeLessThanOrEqual(50_000)
    expect(store.totals().entries).toBeLessThan(10)
    // An entry that would evict most others is not kept.
    expect(put('huge', 20_000)).toBe(false)
    store.close()
  })

  test('the same key again takes no more room', () => {
    const { store, put } = open()
    for (let n = 0; n < 5; n++) put('same', 100)
    expect(store.totals()).toEqual({ entries: 1, bytes: 100 + '{}'.length + 'same'.length })
    store.close()
  })
})

describe('several processes on one file', () => {
  test('a file that was not there a moment ago is found by a write all the same, a moment later', async () => {
    const one = open()
    const two = open(one.folder)
    expect(one.store.outdate('s')).toBe(0)
    expect(two.put('old', 10, 's', two.store.generation('s'))).toBe(true)
    one.store.outdate('s')
    await expect.poll(() => two.store.find('old')).toBeUndefined()
    one.store.close()
    two.store.close()
  })

  test('what was asked before a write of another is not kept after it', () => {
    const one = open()
    const two = open(one.folder)
    const generation = one.store.generation('s')
    two.store.outdate('s')
    expect(one.put('stale', 10, 's', generation)).toBe(false)
    expect(one.put('fresh', 10, 's', one.store.generation('s'))).toBe(true)
    expect(two.store.find('fresh')?.body()?.bytes).toHaveLength(10)
    two.store.clear()
    expect(one.store.find('fresh')).toBeUndefined()
    one.store.close()
    two.store.close()
  })

  test('one tool is forgotten alone, and gone from the disk', () => {
    const { folder, store, put } = open()
    const isOnDisk = (text: string): boolean =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text))
    put('zebraquartz')
    expect(store.clear('s', 'other')).toBe(0)
    expect(isOnDisk('zebraquartz')).toBe(true)
    expect(store.clear('s', 't')).toBe(1)
    expect(isOnDisk('zebraquartz')).toBe(false)
    store.close()
  })

  test('a damaged file is no more than an empty cache', () => {
    const { folder, path, store } = open()
    store.generation('s')
    store.close()
    writeFileSync(path, Buffer.alloc(10_000, 'no database'))
    const again = open(folder)
    expect(again.store.find('k')).toBeUndefined()
    expect(again.put('k')).toBe(true)
    again.store.close()
  })
})

describe('sluice cache', () => {
  test('lists and clears all or one server, and makes nothing by looking', async () => {
    const { folder, store, put } = open()
    const run = (...args: string[]) => runHere(['cache', ...args, '--data-dir', folder])
    expect((await run('list')).stdout).toBe('The cache is empty.\n')
    expect(store.exists).toBe(false)
    put('a', 10, 'github')
    put('b', 10, 'github')
    put('c', 10, 'notes')
    expect((await run('list')).stdout).toMatch(
      /^server +tool +what +entries.*\ngithub +t +results +2 .*\nnotes +t +results +1 /,
    )
    expect(await run('list', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no server "nothing".') as string,
    })
    expect((await run('clear', 'github')).stdout).toBe('2 entries were forgotten of "github".\n')
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject([{ server: 'notes', entries: 1 }])
    expect((await run('clear', 'nots')).stderr).toContain('no server "nots". Did you mean "notes"?')
    expect((await run('clear')).stdout).toBe('One entry was forgotten.\n')
    expect((await run('clear')).stdout).toBe('There was nothing to forget.\n')
    store.close()
  })
})
