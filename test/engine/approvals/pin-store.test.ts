import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pinMigrations } from '../../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../../electron/engine/approvals/pin-store.ts'
import { pendingHash } from '../../../electron/engine/approvals/pending-hash.ts'
import type { Change, Pin } from '../../../electron/engine/approvals/pin.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

function open(path = join(temporaryFolder(), 'pins.db'), onDamage: 'throw' | 'start anew' = 'throw') {
  let time = 1000
  const now = (): number => time++
  const database = openDatabase({ path, logger: silentLogger, now, migrations: pinMigrations, onDamage })
  onTestFinished(() => database.close())
  return { store: new PinStore(database, now), path, database }
}

const change = (name: string, hash = `hash of ${name}`, kind: Change = 'new'): Pin & { change: Change } => ({
  kind: 'tool',
  name,
  hash,
  definition: JSON.stringify({ name, hash }),
  change: kind,
})

/** A store with one server and these pending tools. */
function waiting(...names: string[]) {
  const opened = open()
  opened.store.meet('id', 'files', '{"command":"x"}')
  opened.store.setPending(
    'id',
    names.map((name) => change(name)),
  )
  return opened
}
const names = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name)

describe('servers', () => {
  it('are known by their launch; the name is only what they were called last', () => {
    const { store } = open()
    expect(store.meet('id', 'files', '{}')).toBe(true)
    expect(store.meet('id', 'renamed', '{}')).toBe(false)
    expect(store.meet('other', 'files', '{"x":1}')).toBe(true)
    expect(store.servers()).toEqual([
      { identity: 'other', serverId: 'files', launch: '{"x":1}' },
      { identity: 'id', serverId: 'renamed', launch: '{}' },
    ])
  })
})

describe('what waits', () => {
  it('comes in the order of kinds and names, however long it took to write down', () => {
    const { store } = open() // Its clock advances on every read.
    store.meet('id', 'files', '{}')
    const instructions = { ...change(''), kind: 'instructions' as const }
    const server = { ...change(''), kind: 'server' as const }
    store.setPending('id', [server, change('b'), instructions, change('a')])
    expect(store.pending().map(({ kind, name }) => `${kind} ${name}`.trim())).toEqual([
      'instructions',
      'server',
      'tool a',
      'tool b',
    ])
    store.setPending('id', [change('a'), change('0'), change('b')])
    expect(names(store.pending())).toEqual(['a', 'b', '0'])
  })

  it('is what was seen last, with the approved definition beside it', () => {
    const { store } = waiting('a', 'b')
    store.approve('id', new Set(['hash of a']), 'me')
    store.setPending('id', [change('a', 'other', 'changed')])
    expect(store.pending()).toMatchObject([
      {
        identity: 'id',
        serverId: 'files',
        kind: 'tool',
        name: 'a',
        change: 'changed',
        hash: 'other',
        before: '{"name":"a","hash":"hash of a"}',
        deniedAt: undefined,
      },
    ])
    expect(store.pending('somebody else')).toEqual([])
  })

  it('keeps the time at which it was first seen, and a denial, for as long as it stays the same', () => {
    const { store } = waiting('a')
    const [first] = store.pending()
    store.deny('id', new Set(['hash of a']), 'me')
    store.setPending('id', [change('a'), change('b')])
    expect(store.pending()[0]).toMatchObject({ name: 'a', at: first?.at, deniedAt: expect.any(Number) })
    store.setPending('id', [change('a', 'changed again'), change('b')])
    expect(store.pending().find(({ name }) => name === 'a')?.deniedAt).toBeUndefined()
  })
})

describe('decisions', () => {
  it('approving pins exactly what was named, and every process sees that something was decided', async () => {
    const { store, path } = waiting('a', 'b', 'c')
    const other = open(path).store
    const before = other.version()
    expect(names(store.approve('id', new Set(['hash of b', 'no such hash']), 'me'))).toEqual(['b'])
    await expect.poll(() => other.version()).toBeGreaterThan(before)
    expect(other.pinsOf('id')).toEqual([
      { kind: 'tool', name: 'b', hash: 'hash of b', definition: '{"name":"b","hash":"hash of b"}' },
    ])
    expect(names(other.pending())).toEqual(['a', 'c'])
  })

  it('approving what was looked at does not approve what came in its place', () => {
    const { store } = waiting('a')
    store.setPending('id', [change('a', 'swapped')])
    expect(store.approve('id', new Set(['hash of a']), 'me')).toEqual([])
    expect(store.pinsOf('id')).toEqual([])
  })

  it('denying pins nothing and keeps it waiting', () => {
    const { store } = waiting('a')
    expect(names(store.deny('id', new Set(['hash of a']), 'me'))).toEqual(['a'])
    expect(store.pinsOf('id')).toEqual([])
    expect(names(store.pending())).toEqual(['a'])
    expect(names(store.askAgain('id', new Set(['hash of a']), 'me'))).toEqual(['a'])
    expect(store.pending()[0]?.deniedAt).toBeUndefined()
    expect(store.pinsOf('id')).toEqual([])
  })

  it('approving that something is gone takes its pin away; its hash is another than that of the thing', () => {
    const { store } = waiting('a')
    store.approve('id', new Set(['hash of a']), 'me')
    store.setPending('id', [change('a', 'hash of a', 'removed')])
    expect(store.approve('id', new Set(['hash of a']), 'me')).toEqual([])
    const [gone] = store.pending()
    expect(store.approve('id', new Set([gone ? pendingHash(gone) : '']), 'me')).toHaveLength(1)
    expect(store.pinsOf('id')).toEqual([])
  })

  it('are in the history with who, when, before and after', () => {
    const { store } = waiting('a')
    store.approve('id', new Set(['hash of a']), 'Ada')
    store.setPending('id', [change('a', 'other', 'changed')])
    store.deny('id', new Set(['other']), 'Bob')
    store.trustAtFirstSight('id', [change('z')])
    expect(
      store.history('id').map(({ action, by, name, before, after }) => [action, by, name, before, after]),
    ).toEqual([
      ['trusted at first sight', 'settings', 'z', undefined, change('z').definition],
      ['denied', 'Bob', 'a', change('a').definition, change('a', 'other').definition],
      ['seen', 'sluice', 'a', change('a').definition, change('a', 'other').definition],
      ['approved', 'Ada', 'a', undefined, change('a').definition],
      ['seen', 'sluice', 'a', undefined, change('a').definition],
    ])
    expect(store.history('nobody')).toEqual([])
    expect(store.history(undefined, 2)).toHaveLength(2)
  })

  it('two processes that write in turns lose nothing of each other’s', () => {
    const { store, path } = waiting(...Array.from({ length: 20 }, (_, n) => `t${n}`))
    const other = open(path).store
    for (let n = 0; n < 20; n++) (n % 2 === 0 ? store : other).approve('id', new Set([`hash of t${n}`]), 'me')
    expect(store.pinsOf('id')).toHaveLength(20)
    expect(other.pending()).toEqual([])
    expect(store.history('id').filter(({ action }) => action === 'approved')).toHaveLength(20)
  })

  it('a decision that fails half-way changes nothing', () => {
    const { store, database } = waiting('a', 'b')
    database
      .prepare(
        "CREATE TRIGGER full BEFORE INSERT ON pins WHEN new.name = 'b' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
      )
      .run()
    expect(() => store.approve('id', new Set(['hash of a', 'hash of b']), 'me')).toThrow('disk full')
    expect(store.pinsOf('id')).toEqual([])
    expect(names(store.pending())).toEqual(['a', 'b'])
  })
})

describe('the history', () => {
  it('of a server that changes again and again does not grow for ever; decisions stay', () => {
    const { store } = waiting('a')
    store.approve('id', new Set(['hash of a']), 'Ada')
    const long = JSON.stringify({ name: 'a', description: 'x'.repeat(100_000) })
    store.setPending('id', [{ ...change('a', 'long', 'changed'), definition: long }])
    for (let n = 0; n < 600; n++) store.setPending('id', [change('a', `hash ${n}`, 'changed')])
    const rows = store.history('id', 10_000)
    expect(rows.filter(({ action }) => action === 'seen')).toHaveLength(500)
    expect(rows.some(({ action, by }) => action === 'approved' && by === 'Ada')).toBe(true)
    expect(store.history('other', 10)).toEqual([])
  })

  it('has a long definition where it was decided, not each time it was seen', () => {
    const { store } = waiting('a')
    const long = JSON.stringify({ name: 'b', description: 'x'.repeat(100_000) })
    store.setPending('id', [{ ...change('b', 'long'), definition: long }])
    store.approve('id', new Set(['long']), 'Ada')
    expect(store.history('id').map(({ action, after }) => [action, after])).toEqual([
      ['approved', long],
      ['seen', undefined],
      ['seen', expect.any(String)],
    ])
  })
})

describe('what was pinned before sightings were kept', () => {
  it('is not called gone because the first client that comes is not offered it', () => {
    const path = join(temporaryFolder(), 'pins.db')
    const [first] = pinMigrations
    const old = openDatabase({ path, logger: silentLogger, now: () => 1, migrations: first ? [first] : [] })
    old.prepare("INSERT INTO servers VALUES ('id', 's', '{}', 1, 1)").run()
    old.prepare("INSERT INTO pins VALUES ('id', 'tool', 'a', 'hash', '{}', 1, 'me')").run()
    old.close()
    const { sightings } = open(path).store
    expect(sightings.hasMetAny('id')).toBe(false)
    sightings.note('id', 'plain', [])
    expect([...sightings.all('id').keys()]).toEqual(['tool a'])
    // Records who is offered it.
    sightings.note('id', 'roots', [{ kind: 'tool', name: 'a', hash: 'hash' }])
    sightings.note('id', 'roots', [])
    expect([...sightings.all('id').keys()]).toEqual([])
  })
})

describe('the file', () => {
  it('is its user’s alone', () => {
    expect(statSync(open().path).mode & 0o077).toBe(0)
  })

  it('CP fault: damaged, it is neither forgotten nor overwritten; only on request is it set aside', () => {
    const path = join(temporaryFolder(), 'pins.db')
    const damaged = 'no database at all, '.repeat(300)
    writeFileSync(path, damaged)
    expect(() => open(path)).toThrow(/damaged/)
    expect(readFileSync(path, 'utf8')).toBe(damaged)
    expect(open(path, 'start anew').store.servers()).toEqual([])
    const aside = readdirSync(join(path, '..')).find((name) => name.startsWith('pins.db.damaged-'))
    expect(readFileSync(join(path, '..', aside ?? ''), 'utf8')).toBe(damaged)
  })
})
