import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { array, assert, nat, property } from '../../helpers/properties.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pinsMarks } from '../../../electron/engine/approvals/approvals.ts'
import { pinMigrations } from '../../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../../electron/engine/approvals/pin-store.ts'
import { pendingHash } from '../../../electron/engine/approvals/pending-hash.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { createApprovals } from '../../../electron/engine/approvals/create-approvals.ts'
import { createChangeScan } from '../../../electron/engine/guardrails/scan-change.ts'
import { createMaskHere } from '../../../electron/engine/masking/remote-masking.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { baseOffer, settings as server } from '../../helpers/approval-gate.ts'
import { decideAtRandom } from '../../helpers/random-decisions.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Trusts on first sight, the setting most exposed to a lost record. */
function open(dataDir: string, firstSight: 'ask' | 'trust' = 'trust') {
  const { settings } = parseSettings(JSON.stringify({ servers: { s: server }, approvals: { firstSight } }))
  if (!settings) throw new Error('unreachable')
  const approvals = createApprovals({
    dataDir,
    settings: { current: settings },
    env: {},
    platform: process.platform,
    homeDir: dataDir,
    tempDir: dataDir,
    events: createEvents(silentLogger),
    logger: silentLogger,
    now: () => 1,
    scan: createChangeScan(() => [], createMaskHere()),
  })
  onTestFinished(() => approvals.close())
  return approvals
}

/** A data folder with one approved server. */
function approvedFolder(): { dataDir: string; path: string } {
  const dataDir = temporaryFolder()
  const approvals = open(dataDir)
  expect(approvals.check('s', baseOffer).blocked).toBeUndefined()
  approvals.close()
  return { dataDir, path: join(dataDir, 'pins.db') }
}

const emptied = (path: string): void => {
  rmSync(path)
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE other (a)')
  database.close()
}

describe('S4: a record of approvals that is not what it was', () => {
  it.each([
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['has one byte', (path: string) => truncateSync(path, 1)],
    ['is shorter than its header', (path: string) => truncateSync(path, 99)],
    ['has its header alone', (path: string) => truncateSync(path, 100)],
    ['has its first page alone', (path: string) => truncateSync(path, 4096)],
    ['is gone', (path: string) => rmSync(path)],
    ['has no tables', emptied],
  ])('%s: everything is blocked, and says so', (_, harm) => {
    const { dataDir, path } = approvedFolder()
    harm(path)
    const approvals = open(dataDir)
    expect(approvals.check('s', baseOffer).blocked).toMatch(/pins\.db.*--reset/)
    expect(approvals.store).toBeUndefined()
  })

  it('a new folder, one of a Sluice that left no mark, and one whose marks are as they were need no question', () => {
    const { dataDir } = approvedFolder()
    const marks = pinsMarks(dataDir).paths
    for (const mark of marks) rmSync(mark)
    expect(open(dataDir).damage).toBeUndefined()
    expect(marks.map((mark) => existsSync(mark))).toEqual([true, true])
    for (const mark of marks) writeFileSync(mark, 'The database beside this file was begun.\n')
    expect(open(dataDir).damage).toBeUndefined()
    expect(open(temporaryFolder()).damage).toBeUndefined()
  })

  it.each(['approvals.begun', 'pins.begun'])(
    'is gone with its mark %s: the other one knows of it',
    (name) => {
      const { dataDir, path } = approvedFolder()
      rmSync(path)
      rmSync(join(dataDir, name))
      expect(open(dataDir).check('s', baseOffer).blocked).toMatch(/missing.*--reset/)
    },
  )

  it('an empty file blocks without a mark, too: no Sluice leaves one behind', () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'pins.db'), '')
    expect(open(dataDir).damage).toMatch(/empty/)
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
  })
})

describe('S4: a record that SQLite finds sound, and that has lost decisions', () => {
  const inside = (path: string, sql: string): void => {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }
  const copied = (from: string, to: string): void => {
    for (const name of ['pins.db', 'pins.db-wal', 'approvals.begun', 'pins.begun'])
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }

  it.each([
    ['DELETE FROM pins', /7 of 7 approvals are missing/],
    ["DELETE FROM pins WHERE name = 'fetch'", /1 of 7 approvals are missing/],
    ["DELETE FROM wordings WHERE name = 'fetch'", /1 of 6 approved wordings are missing/],
    ['DELETE FROM tally', /the count of them is missing/],
    ['DROP TABLE tally', /the count of them is missing/],
    ["UPDATE tally SET record = 'x'", /another record/],
    ['UPDATE tally SET count = 0', /an older copy .* lacks the last 1 decisions/],
  ])('%s: blocks at the next check, and at the next start', (sql, why) => {
    const { dataDir, path } = approvedFolder()
    const running = open(dataDir)
    expect(running.check('s', baseOffer).blocked).toBeUndefined()
    inside(path, sql)
    expect(running.check('s', baseOffer).blocked).toMatch(why)
    expect(running.check('s', baseOffer).blocked).toMatch(/--reset/)
    running.close()
    const started = open(dataDir)
    expect(started.check('s', baseOffer).blocked).toMatch(why)
    expect(started.damage).toMatch(/--reset/)
  })

  it('a denial that is gone is noticed: what was denied would be trusted at first sight', () => {
    const dataDir = temporaryFolder()
    const approvals = open(dataDir, 'ask')
    const { identity } = approvals.check('s', baseOffer)
    const hashes = approvals.store?.pending(identity).map(pendingHash) ?? []
    expect(approvals.deny(identity, hashes, 'test')).toBe(7)
    approvals.close()
    inside(join(dataDir, 'pins.db'), 'DELETE FROM pending')
    expect(open(dataDir).check('s', baseOffer).blocked).toMatch(/7 of 7 denials are missing/)
  })

  it('an older copy blocks, and a whole folder of an older copy does not', () => {
    const { dataDir } = approvedFolder()
    const [backup, restored] = [temporaryFolder(), temporaryFolder()]
    copied(dataDir, backup)
    const approvals = open(dataDir)
    approvals.store?.revoke(approvals.check('s', baseOffer).identity, hashesOf(approvals.store), 'test')
    approvals.close()
    copied(backup, restored)
    expect(open(restored).check('s', baseOffer).blocked).toBeUndefined()
    for (const mark of pinsMarks(dataDir).paths) rmSync(join(backup, basename(mark)))
    copied(backup, dataDir)
    expect(open(dataDir).check('s', baseOffer).blocked).toMatch(/an older copy.*lacks the last 1 decisions/)
  })

  it("another folder's record blocks, with more decisions too", () => {
    const [{ dataDir }, other] = [approvedFolder(), approvedFolder()]
    const approvals = open(other.dataDir)
    approvals.store?.revoke(approvals.check('s', baseOffer).identity, hashesOf(approvals.store), 'test')
    approvals.close()
    copyFileSync(other.path, join(dataDir, 'pins.db'))
    expect(open(dataDir).damage).toMatch(/another record was put in its place/)
  })

  it('a copy that is read because the folder cannot be written to changes no mark', () => {
    const { dataDir, path } = approvedFolder()
    const [before] = pinsMarks(dataDir).paths.map((mark) => readFileSync(mark, 'utf8'))
    const copy = join(temporaryFolder(), 'pins.db')
    copyFileSync(path, copy)
    const database = openPinsAt(copy)
    const store = new PinStore(database, () => 1, pinsMarks(dataDir))
    store.revoke(store.servers()[0]?.identity ?? '', hashesOf(store), 'test')
    expect(pinsMarks(dataDir).paths.map((mark) => readFileSync(mark, 'utf8'))).toEqual([before, before])
    store.close()
  })

  it('a decision that fails at its commit changes no mark: the record goes on, now and at the next start', () => {
    const { dataDir, path } = approvedFolder()
    const marks = () => pinsMarks(dataDir).paths.map((mark) => readFileSync(mark, 'utf8'))
    const before = marks()
    // SQLite checks this at the end of the transaction, after the decision was counted.
    inside(
      path,
      'CREATE TABLE none (a PRIMARY KEY); CREATE TABLE late (a REFERENCES none(a) DEFERRABLE INITIALLY DEFERRED)',
    )
    inside(path, 'CREATE TRIGGER late AFTER UPDATE ON tally BEGIN INSERT INTO late VALUES (new.count); END')
    const approvals = open(dataDir)
    const { store } = approvals
    if (!store) throw new Error('unreachable')
    expect(() => store.revoke(store.servers()[0]?.identity ?? '', hashesOf(store), 'test')).toThrow(
      /FOREIGN KEY/,
    )
    expect(marks()).toEqual(before)
    expect(approvals.check('s', baseOffer).blocked).toBeUndefined()
    approvals.close()
    expect(open(dataDir).damage).toBeUndefined()
    inside(path, 'DROP TRIGGER late')
    const mended = open(dataDir)
    expect(mended.store?.revoke(mended.check('s', baseOffer).identity, hashesOf(mended.store), 'test')).toBe(
      6,
    )
    expect(marks()).not.toEqual(before)
  })

  it('a record that processes decide in at once, and are killed in, is sound; with a row less it is not', async () => {
    const dataDir = temporaryFolder()
    for (const seed of [3, 5]) {
      const children = [seed, seed + 100].map((own) =>
        spawn(process.execPath, [DECIDE, dataDir, String(own)], { stdio: ['ignore', 'pipe', 'inherit'] }),
      )
      await Promise.all(
        children.map(async (child, index) => {
          let decided = 0
          for await (const chunk of child.stdout) {
            decided += String(chunk).length
            if (decided > seed * 7 * (index + 1)) child.kill('SIGKILL')
          }
          expect(decided).toBeGreaterThan(seed * 7)
        }),
      )
      expect(open(dataDir).damage).toBeUndefined()
    }
    const approvals = open(dataDir)
    const { store } = approvals
    if (!store) throw new Error('unreachable')
    store.trustAtFirstSight('server 0', [{ kind: 'prompt', name: 'last', hash: 'h', definition: '{}' }])
    approvals.close()
    for (const table of ['pins', 'wordings']) {
      const harmed = temporaryFolder()
      copied(dataDir, harmed)
      inside(join(harmed, 'pins.db'), `DELETE FROM ${table} WHERE name = 'last'`)
      expect(open(harmed).damage).toMatch(/pins\.db has lost decisions: 1 of/)
    }
    expect(open(dataDir).damage).toBeUndefined()
  })

  it('decisions at random never block, and any decision undone in the file does', () => {
    assert(
      property(array(nat(), { minLength: 12, maxLength: 150 }), nat(), (numbers, pick) => {
        const dataDir = temporaryFolder()
        const path = join(dataDir, 'pins.db')
        let index = 0
        const next = (): number => numbers[index++ % numbers.length] ?? 0
        let store = new PinStore(openPinsAt(path, dataDir), () => 1, pinsMarks(dataDir))
        while (index < numbers.length) {
          decideAtRandom(store, next)
          if (next() % 7 > 0) continue
          store.close()
          store = new PinStore(openPinsAt(path, dataDir), () => 1, pinsMarks(dataDir))
        }
        const older = join(temporaryFolder(), 'pins.db')
        store.close()
        copyFileSync(path, older)
        store = new PinStore(openPinsAt(path, dataDir), () => 1, pinsMarks(dataDir))
        store.trustAtFirstSight('server 0', [{ kind: 'prompt', name: 'last', hash: 'h', definition: '{}' }])
        store.close()
        if (pick % 2 === 0) copyFileSync(older, path)
        else
          inside(
            path,
            `DELETE FROM ${pick % 4 === 1 ? 'pins' : 'wordings'} WHERE rowid = (SELECT max(rowid) FROM ${pick % 4 === 1 ? 'pins' : 'wordings'})`,
          )
        expect(open(dataDir).damage).toMatch(/lost decisions/)
      }),
      { numRuns: 8 },
    )
  })
})

const DECIDE = fileURLToPath(new URL('../../fixtures/decide-forever.ts', import.meta.url))

const hashesOf = (store: PinStore): Set<string> => new Set(store.wordings.all().map(({ hash }) => hash))

const openPinsAt = (path: string, dataDir?: string) =>
  openDatabase({
    path,
    logger: silentLogger,
    now: () => 1,
    migrations: pinMigrations,
    onDamage: 'throw',
    ...(dataDir === undefined ? {} : { begunMarks: pinsMarks(dataDir).paths }),
  })
