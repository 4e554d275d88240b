import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine } from '../../electron/engine/engine.ts'
import { createLogger } from '../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { startTestEngine } from '../helpers/test-engine.ts'

/** SQLite removes the write-ahead log when the last connection closes. */
const openDatabases = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.db-wal'))

const watchers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length

test('an engine of which a part fails to open closes what it opened before', async () => {
  const dataDir = temporaryFolder()
  const logger = createLogger({ level: 'error', now: Date.now })
  const before = watchers()
  let seen: string[] = []
  const options = {
    dataDir,
    logger,
    env: process.env,
    platform: process.platform,
    homeDir: dataDir,
    tempDir: dataDir,
    now: Date.now,
    version: '0.0.0',
  }
  // Read after the ground and the records are open.
  Object.defineProperty(options, 'forkModelProcess', {
    enumerable: true,
    get: () => {
      seen = openDatabases(dataDir)
      throw new Error('this part does not open')
    },
  })
  await expect(createEngine(options)).rejects.toThrow('this part does not open')
  expect(seen).toEqual(['sluice.db-wal'])
  expect(openDatabases(dataDir)).toEqual([])
  expect(watchers()).toBe(before)
  logger.close()
  const next = await startTestEngine(dataDir)
  await next.close()
})

test('closing is idempotent, and sessions end before the stores', async () => {
  const dataDir = temporaryFolder()
  const { engine, close } = await startTestEngine(dataDir)
  const ends: string[] = []
  const isOpen = (): boolean => {
    try {
      return engine.database.prepare('SELECT 1 AS one').get() !== undefined
    } catch {
      return false
    }
  }
  engine.openSession({
    scope: { kind: 'sluice' },
    client: { name: 'test', isSelfNamed: false },
    sendNotification: () => {},
    sendRequest: () => Promise.reject(new Error('nobody')),
  } as unknown as Parameters<typeof engine.openSession>[0])
  engine.events.on('session-closed', () => ends.push(`session, database ${isOpen() ? 'open' : 'closed'}`))
  const closing = engine.close()
  expect(engine.close()).toBe(closing)
  await closing
  await engine.close()
  expect(ends).toEqual(['session, database open'])
  expect(isOpen()).toBe(false)
  expect(existsSync(join(dataDir, 'sluice.db-wal'))).toBe(false)
  expect(openDatabases(dataDir)).toEqual([])
  await close()
})
