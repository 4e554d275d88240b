import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { holdLock } from '../../../helpers/held-lock.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Queued writes of a connection while another process holds the lock. */

function open(): { path: string; database: Database; add: (tool: string) => void; tools: () => unknown[] } {
  const path = join(temporaryFolder(), 'sluice.db')
  const database = openDatabase({ path, logger: silentLogger, now: Date.now, lockMs: 1 })
  onTestFinished(() => database.close())
  const add = (tool: string): void =>
    void database.prepare('INSERT INTO fetches VALUES (1, ?, ?, ?, 5)').run('c', 'r_1', tool)
  const tools = () =>
    database
      .prepare('SELECT tool FROM fetches ORDER BY rowid')
      .all()
      .map((row) => row['tool'])
  return { path, database, add, tools }
}

test('a write that finds the lock free is done before the call returns', () => {
  const { database, add, tools } = open()
  void database.write(() => add('a'))
  expect(tools()).toEqual(['a'])
})

test('writes wait for the lock in their order, and are done when it is free', async () => {
  const { path, database, add, tools } = open()
  const lock = await holdLock(path)
  const done: string[] = []
  const writes = ['a', 'b', 'c'].map((tool) =>
    database.write(() => add(tool), { patienceMs: Infinity }).then(() => done.push(tool)),
  )
  // Reads still work.
  expect(tools()).toEqual([])
  expect(() => database.transaction(() => add('x'))).toThrow(
    expect.objectContaining({ code: 'DATABASE_LOCKED' }),
  )
  await lock.release()
  await Promise.all(writes)
  expect(tools()).toEqual(['a', 'b', 'c'])
  expect(done).toEqual(['a', 'b', 'c'])
})

test('patience is counted from when the lock was met: the second in a row does not wait anew', async () => {
  const { path, database, add, tools } = open()
  const lock = await holdLock(path)
  const refused = expect.objectContaining({
    code: 'DATABASE_LOCKED',
    message: expect.stringMatching(/sluice\.db could not be written.*holds its lock/) as string,
  }) as unknown
  const patient = database.write(() => add('patient'), { patienceMs: Infinity })
  await expect(database.write(() => add('a'), { patienceMs: 60 })).rejects.toEqual(refused)
  let isSettled = false
  const second = database.write(() => add('b'), { patienceMs: 60 }).catch((error: unknown) => error)
  void second.then(() => (isSettled = true))
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  expect(isSettled).toBe(true)
  expect(await second).toEqual(refused)
  await lock.release()
  await patient
  expect(tools()).toEqual(['patient'])
})

test('a write that fails for another reason rejects alone', async () => {
  const { path, database, add, tools } = open()
  const lock = await holdLock(path)
  const broken = database.write(
    () => {
      add('half')
      throw new Error('no')
    },
    { patienceMs: Infinity },
  )
  const refused = expect(broken).rejects.toThrow('no')
  const sound = database.write(() => add('whole'), { patienceMs: Infinity })
  await lock.release()
  await refused
  await sound
  expect(tools()).toEqual(['whole'])
})

test('what still waits when the engine ends is given up, and said', async () => {
  const { path, database, add } = open()
  await holdLock(path)
  const write = database.write(() => add('late'), { patienceMs: Infinity }).catch((error: unknown) => error)
  await database.settle(50)
  expect(await write).toMatchObject({ code: 'DATABASE_LOCKED' })
})
