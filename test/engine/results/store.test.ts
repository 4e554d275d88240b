import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import {
  type NewResult,
  ResultStore,
  type ResultStoreOptions,
} from '../../../electron/engine/results/store.ts'
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

describe('ResultStore', () => {
  test('gives back the whole result: every content type, unknown fields, NUL and lone surrogates', async () => {
    const result = {
      content: [
        { type: 'text', text: 'a\0b \ud800 \u{1f600}', annotations: { priority: 1 } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'text', text: 'second' },
      ],
      structuredContent: { a: 1 },
      isError: false,
      _meta: { 'x/y': [1] },
      somethingNew: { kept: true },
    }
    const store = makeStore()
    const { id } = await store.put(entry('', { result, kind: 'prose', mime: 'text/plain' }))
    expect(id).toMatch(/^r_[0-9a-f]{6,10}$/)
    const stored = store.get(id, 'claude')
    expect(stored).toMatchObject({ server: 'files', tool: 'read', kind: 'prose', mime: 'text/plain' })
    expect(await store.load(stored)).toEqual(result)
  })

  test('keeps files 0600 in a folder 0700, named by their SHA-256', async () => {
    const stored = await makeStore().put(entry('hello'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(files()).toEqual([`${stored.sha256}.zst`])
    expect(statSync(join(folder, `${stored.sha256}.zst`)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  // The fourth design put Date.now() into the name, so equal results were never deduplicated.
  test('predecessors 1D: equal content of one owner is kept once, under one id', async () => {
    const store = makeStore()
    const first = await store.put(entry('same'))
    clock += HOUR
    const again = await store.put(entry('same'))
    expect(again.id).toBe(first.id)
    expect(again.expires).toBe(first.expires + HOUR)
    expect(files()).toHaveLength(1)
  })

  test('the id depends on owner and content alone, so that the same call gives the same bytes', async () => {
    const first = await makeStore().put(entry('same'))
    database.prepare('DELETE FROM results').run()
    clock += HOUR
    expect((await makeStore().put(entry('same'))).id).toBe(first.id)
    expect((await makeStore().put(entry('same', { owner: 'cursor' }))).id).not.toBe(first.id)
  })

  test('a taken id is made longer, and stays with its result afterwards', async () => {
    const store = makeStore()
    const { id } = await store.put(entry('one'))
    database.prepare('UPDATE results SET owner = ?, id = ? WHERE id = ?').run('other', id, id)
    const longer = await store.put(entry('one'))
    expect(longer.id).toHaveLength(id.length + 1)
    expect(longer.id.startsWith(id)).toBe(true)
    database.prepare('DELETE FROM results WHERE owner = ?').run('other')
    expect((await store.put(entry('one'))).id).toBe(longer.id)
  })

  // RLM and the fourth design returned a result to any holder of its key.
  test("predecessors 1B.8, 1D: another owner's id is as unknown as one that never was", async () => {
    const store = makeStore()
    const { id } = await store.put(entry('secret'))
    const [theirs, nobodys] = [id, 'r_000000'].map((asked) => {
      try {
        store.get(asked, 'cursor')
        return 'found'
      } catch (error) {
        return error
      }
    })
    expect(theirs).toMatchObject({ code: 'RESULT_UNKNOWN' })
    expect(nobodys).toMatchObject({ code: 'RESULT_UNKNOWN' })
    expect(String(theirs).replace(id, 'ID')).toBe(String(nobodys).replace('r_000000', 'ID'))
    expect(String(theirs)).toContain('Call the tool again')
    expect(await store.list({ owner: 'cursor' })).toEqual([])
    expect(store.delete(id, 'cursor')).toBe(false)
    expect(await store.list()).toHaveLength(1)
  })

  // The fourth design's get(key) joined the key into a path.
  test.each(['../../etc/passwd', '/etc/passwd', 'r_../../x', '..%2f', 'r_\0', '', 'x'.repeat(100_000)])(
    'predecessors 1D: an id is never part of a path: %j',
    async (id) => {
      const store = makeStore()
      await store.put(entry('x'))
      writeFileSync(join(base, 'x.zst'), 'outside')
      expect(() => store.get(id, 'claude')).toThrow(expect.objectContaining({ code: 'RESULT_UNKNOWN' }))
      try {
        store.get(id, 'claude')
      } catch (error) {
        expect(String(error).length).toBeLessThan(300)
      }
    },
  )

  test('a result whose time is over says which tool to call, before and after the sweep', async () => {
    const store = makeStore()
    const { id } = await store.put(entry('old'))
    clock += 24 * HOUR
    for (const swept of [false, true]) {
      if (swept) expect(await store.sweep()).toBe(1)
      expect(() => store.get(id, 'claude')).toThrow(
        expect.objectContaining({ code: 'RESULT_EXPIRED', message: expect.stringContaining('"read"') }),
      )
    }
    expect(files()).toEqual([])
    expect(await store.list()).toEqual([])
    clock += 8 * 24 * HOUR
    await store.sweep()
    expect(() => store.get(id, 'claude')).toThrow(expect.objectContaining({ code: 'RESULT_UNKNOWN' }))
  })

  test('over the size limit the oldest goes first', async () => {
    const store = makeStore({ limits: () => ({ ttlMs: 24 * HOUR, maxBytes: 20_000 }) })
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      clock += 1000
      ids.push((await store.put(entry(noise(10_000)))).id)
    }
    const kept = (await store.list()).map((stored) => stored.id)
    expect(kept.length).toBeGreaterThanOrEqual(1)
    expect(kept).toEqual(ids.slice(-kept.length).reverse())
    expect(files()).toHaveLength(kept.length)
    expect(() => store.get(ids[0] ?? '', 'claude')).toThrow(
      expect.objectContaining({ code: 'RESULT_EXPIRED' }),
    )
  })

  test('predecessors 1B: what does not fit is refused, no id is given for it', async () => {
    const store = makeStore({ limits: () => ({ ttlMs: HOUR, maxBytes: 1000 }) })
    await store.put(entry('small'))
    await expect(store.put(entry(noise(10_000)))).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('results.maxBytes'),
    })
    expect(await store.list()).toHaveLength(1)
  })

  // RLM evicted by idle time and size at 20 entries across all clients.
  test('predecessors 1B.8: one client does not push out another by mere number of results', async () => {
    const store = makeStore()
    const { id } = await store.put(entry('mine', { owner: 'quiet' }))
    for (let index = 0; index < 60; index++) await store.put(entry(`noise ${index}`))
    expect(store.get(id, 'quiet').id).toBe(id)
  })

  test('two owners of one content share the file until the last of them lets go', async () => {
    const store = makeStore()
    const mine = await store.put(entry('shared'))
    const theirs = await store.put(entry('shared', { owner: 'cursor' }))
    expect(files()).toHaveLength(1)
    expect(store.delete(mine.id, 'claude')).toBe(true)
    expect(await store.load(store.get(theirs.id, 'cursor'))).toEqual(entry('shared').result)
    expect(store.delete(theirs.id)).toBe(true)
    expect(files()).toEqual([])
  })

  test('finds the original of a repeated call, and not that of another call or owner', async () => {
    const store = makeStore()
    const { id } = await store.put(entry('x', { callKey: 'k1' }))
    await store.put(entry('x', { callKey: 'k2' }))
    expect(store.findByCall('claude', 'k1')?.id).toBe(id)
    expect(store.findByCall('claude', 'k2')?.id).toBe(id)
    expect(store.findByCall('cursor', 'k1')).toBeUndefined()
    await store.put(entry('y', { callKey: 'k1' }))
    expect(store.findByCall('claude', 'k1')?.id).not.toBe(id)
    clock += 25 * HOUR
    expect(store.findByCall('claude', 'k1')).toBeUndefined()
  })

  test('an original that is gone or damaged on disk is an error that says so, and a new put mends it', async () => {
    const store = makeStore()
    const stored = await store.put(entry('precious'))
    const path = store.source(stored).path
    writeFileSync(path, 'x'.repeat(statSync(path).size))
    await expect(store.load(stored)).rejects.toMatchObject({ code: 'RESULT_EXPIRED' })
    await expect(store.load(stored)).rejects.toMatchObject({
      message: expect.stringContaining(
        'gone or damaged on disk. Only another call of the tool brings it back.',
      ),
    })
    expect(await store.load(await store.put(entry('precious')))).toEqual(entry('precious').result)
  })

  test('U31: a person who asks for what is gone is told what keeps results, not to call a tool', () => {
    expect(() => makeStore().getForUser('r_ffffff')).toThrow(
      'The result "r_ffffff" is no longer kept. Settings say under "Kept originals" for how long results are.',
    )
  })

  test('a folder that cannot be written is STORE_FAILED and leaves no row', async () => {
    writeFileSync(folder, 'a file is in the way')
    const store = makeStore()
    await expect(store.put(entry('x'))).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await store.list()).toEqual([])
  })

  test.skipIf(process.platform === 'win32')(
    'a disk without space is STORE_FAILED and leaves neither file nor row',
    async () => {
      mkdirSync(folder)
      const program = fileURLToPath(new URL('../../fixtures/workers/put-without-space.ts', import.meta.url))
      // Files are limited to 64 blocks of 512 bytes, so the write fails halfway, as on a full disk.
      const { stdout } = await promisify(execFile)('sh', [
        '-c',
        'ulimit -f 64; exec "$@"',
        'sh',
        process.execPath,
        program,
        folder,
      ])
      expect(stdout).toBe('STORE_FAILED 0\n')
      expect(readdirSync(folder)).toEqual([])
    },
  )

  test('a closed database is STORE_FAILED', async () => {
    const store = makeStore()
    database.close()
    await expect(store.put(entry('x'))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('sweeping removes what a crash left behind, but nothing that is young or somebody else’s', async () => {
    const store = makeStore()
    const kept = await store.put(entry('kept'))
    mkdirSync(folder, { recursive: true })
    const long = (name: string, hoursOld: number) => {
      writeFileSync(join(folder, name), 'x')
      utimesSync(join(folder, name), (clock - hoursOld * HOUR) / 1000, (clock - hoursOld * HOUR) / 1000)
    }
    long('.new-0011', 2)
    long('.new-0022', 0)
    long(`${'a'.repeat(64)}.zst`, 2)
    long('notes.txt', 2)
    await store.sweep()
    expect(readdirSync(folder).toSorted()).toEqual(
      ['.new-0022', `${kept.sha256}.zst`, 'notes.txt'].toSorted(),
    )
  })

  test('large results are packed and unpacked by the given functions', async () => {
    const used: string[] = []
    const plain = makeStore()
    const store = makeStore({
      pack: async (result) => {
        used.push('pack')
        const { packResult } = await import('../../../electron/engine/work/pack-result.ts')
        return packResult(result)
      },
      unpack: async () => {
        used.push('unpack')
        return { content: [] }
      },
    })
    await store.put(entry('small'))
    const stored = await store.put(entry('x'.repeat(300_000)))
    expect(await store.load(stored)).toEqual({ content: [] })
    expect(used).toEqual(['pack', 'unpack'])
    expect(await plain.load(stored)).toEqual(entry('x'.repeat(300_000)).result)
  })
})
