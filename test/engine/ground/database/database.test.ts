import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, openDatabaseOrCopy } from '../../../../electron/engine/ground/database/database.ts'
import type { Database } from '../../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { migrations } from '../../../../electron/engine/ground/database/migrations/migrations.ts'
import { canMountSmallDisks, fillDisk, smallDisk } from '../../../helpers/small-disk.ts'
import { removeFolder } from '../../../helpers/remove-folder.ts'

const canMount = canMountSmallDisks()
if (!canMount)
  console.warn('Skipped: only a superuser of Linux can mount the small disk of database.test.ts.')

let folder: string
let path: string
const open: Database[] = []
const now = () => Date.UTC(2026, 10, 22)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-database-'))
  path = join(folder, 'data', 'sluice.db')
})
afterEach(() => {
  for (const database of open.splice(0)) database.close()
  removeFolder(folder)
})

function start(options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database {
  const database = openDatabase({ path, logger: silentLogger, now, ...options })
  open.push(database)
  return database
}

describe('openDatabase', () => {
  test('makes a private file in WAL mode with foreign keys', () => {
    const database = start()
    expect({ ...database.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' })
    expect({ ...database.prepare('PRAGMA foreign_keys').get() }).toEqual({ foreign_keys: 1 })
    expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 1 })
    database.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', 't')
    for (const file of readdirSync(join(folder, 'data'))) {
      expect(statSync(join(folder, 'data', file)).mode & 0o777, file).toBe(0o600)
    }
  })

  test('answers Kysely and raw statements from the same tables', async () => {
    const database = start()
    const kysely = await database.kysely()
    await kysely
      .insertInto('fetches')
      .values({ at: 1, client: 'a', result_id: 'r_1', tool: 'proxy_read', tokens: 7 })
      .execute()
    expect({ ...database.prepare('SELECT tokens FROM fetches').get() }).toEqual({ tokens: 7 })
    const sum = await kysely
      .selectFrom('fetches')
      .select((field) => field.fn.sum<number>('tokens').as('tokens'))
      .executeTakeFirstOrThrow()
    expect(sum.tokens).toBe(7)
  })

  test('keeps a result and refuses an outcome that nobody knows', () => {
    const database = start()
    const insert = database.prepare(
      'INSERT INTO calls (id, at, client, session, server, tool, outcome) VALUES (?, 1, ?, ?, ?, ?, ?)',
    )
    insert.run('1', 'c', 's', 'v', 't', 'ok')
    expect(() => insert.run('2', 'c', 's', 'v', 't', 'lost')).toThrow(/CHECK/)
  })

  test('opens again without running a migration twice', () => {
    start().close()
    const database = start()
    expect(
      database
        .prepare('SELECT version FROM migrations ORDER BY version')
        .all()
        .map((row) => row.version),
    ).toEqual(migrations.map((migration) => migration.version))
  })

  test('numbers its migrations without gaps', () => {
    expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1))
  })

  test('a failing migration leaves nothing of itself behind', () => {
    start().close()
    const broken = {
      version: migrations.length + 1,
      name: 'broken',
      sql: 'CREATE TABLE half (a INTEGER); CREATE TABLE half (a INTEGER);',
    }
    expect(() => start({ migrations: [...migrations, broken] })).toThrow(/half/)
    const database = start()
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'half'").get()).toBeUndefined()
  })

  test('refuses a file of a newer Sluice and leaves its bytes alone', () => {
    start().close()
    const raw = new DatabaseSync(path)
    raw.exec('PRAGMA journal_mode = DELETE')
    raw.prepare('INSERT INTO migrations VALUES (99, ?, 0)').run('from the future')
    raw.close()
    const before = readFileSync(path)
    expect(() => start()).toThrow(expect.objectContaining({ code: 'DATABASE_NEWER' }))
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['is no database at all', (bytes: Buffer) => Buffer.from('hello '.repeat(bytes.length / 6))],
    [
      'lost its middle',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]),
    ],
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['is empty (R20)', () => Buffer.alloc(0)],
    ['is shorter than its header', (bytes: Buffer) => bytes.subarray(0, 50)],
  ])('a file that %s is set aside, said so, and begun anew', (_, damage) => {
    start().close()
    const damaged = damage(readFileSync(path))
    writeFileSync(path, damaged)
    const said: string[] = []
    const database = start({ logger: { ...silentLogger, error: (message) => said.push(message) } })
    database.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', 't')
    const kept = readdirSync(join(folder, 'data')).filter((file) => file.includes('damaged-2026-11-22'))
    expect(kept).toHaveLength(1)
    expect(readFileSync(join(folder, 'data', kept[0] ?? '')).equals(damaged)).toBe(true)
    expect(said.join()).toContain('sluice.db.damaged-2026-11-22')
  })

  test.each([
    ['new', undefined],
    ['damaged', Buffer.alloc(9000, 'junk')],
  ])('six processes that open a %s file at once share one database', async (_, bytes) => {
    mkdirSync(dirname(path))
    if (bytes) writeFileSync(path, bytes)
    const program = fileURLToPath(new URL('../../../fixtures/open-database.ts', import.meta.url))
    const processes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
        await once(child.stdout, 'data')
        return child
      }),
    )
    const exits = processes.map((child) => once(child, 'exit'))
    for (const child of processes) child.stdin.write('go')
    expect((await Promise.all(exits)).map(([code]) => code as number)).toEqual([0, 0, 0, 0, 0, 0])
    expect(start().prepare('SELECT count(*) AS n FROM fetches').get()?.['n']).toBe(6)
    const files = readdirSync(dirname(path)).map((file) => file.replace(/damaged-.*Z$/, 'damaged'))
    expect(files.filter((file) => !/-(?:wal|shm)$/.test(file))).toEqual(
      bytes ? ['sluice.db', 'sluice.db.damaged'] : ['sluice.db'],
    )
  })

  test('a lock that a crash left behind is taken over', () => {
    mkdirSync(dirname(path))
    writeFileSync(`${path}.opening`, String(spawnSync(process.execPath, ['--version']).pid))
    start()
    expect(readdirSync(dirname(path))).not.toContain('sluice.db.opening')
  })

  test('two connections write one file without losing each other', () => {
    const [first, second] = [start(), start()]
    first.transaction(() => first.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', 't'))
    second.transaction(() =>
      second.prepare('INSERT INTO fetches VALUES (2, ?, ?, ?, 5)').run('c', 'r_1', 't'),
    )
    expect(first.prepare('SELECT count(*) AS n FROM fetches').get()?.n).toBe(2)
  })

  test('a transaction that throws is undone and closing twice is quiet', () => {
    const database = start()
    expect(() =>
      database.transaction(() => {
        database.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', 't')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(database.prepare('SELECT count(*) AS n FROM fetches').get()?.n).toBe(0)
    database.close()
    database.close()
  })
})

test.skipIf(!canMount)(
  'a copy made on a full disk holds what a crash left in the log, and is not changed',
  async () => {
    const disk = smallDisk('4m', onTestFinished)
    const row = ['identity', 'v', 1] as const
    const insert = 'INSERT INTO fetches (client, result_id, at, tool, tokens) VALUES (?, ?, ?, ?, 5)'
    start()
      .prepare(insert)
      .run(...row, 'left in the log')
    // As after a crash: both files, not open in any process.
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(disk, `sluice.db${suffix}`))
    await fillDisk(disk)
    const options = { logger: silentLogger, now, tempDir: disk, frozen: ['fetches'] }
    const copy = openDatabaseOrCopy({ ...options, path: join(disk, 'sluice.db') })
    open.push(copy)
    expect(
      copy
        .prepare('SELECT tool FROM fetches')
        .all()
        .map((found) => found['tool']),
    ).toEqual(['left in the log'])
    expect(() => copy.prepare(insert).run(...row, 'new')).toThrow('start Sluice again')
  },
)
