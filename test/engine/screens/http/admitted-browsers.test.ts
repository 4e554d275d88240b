import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAdmittedBrowsers } from '../../../../electron/engine/screens/http/admitted-browsers.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const open = (dataDir: string, now = () => 1_000_000) => {
  const warnings: string[] = []
  const logger = { warn: (text: string) => void warnings.push(text) }
  return { ...createAdmittedBrowsers({ dataDir, now, logger }), warnings }
}

test('what one process decides counts for another at once', () => {
  const dataDir = temporaryFolder()
  const [engine, command] = [open(dataDir), open(dataDir)]
  engine.admit({ id: 'a', name: 'A' })
  engine.admit({ id: 'b', name: 'B' })
  expect([engine.has('a'), command.has('a')]).toEqual([true, true])
  expect(command.revoke(['a', 'unknown'])).toBe(1)
  expect([engine.has('a'), engine.has('b')]).toEqual([false, true])
  expect(command.revoke(['a'])).toBe(0)
})

test.each([
  ['cut to nothing', (path: string) => truncateSync(path, 0)],
  ['no JSON', (path: string) => writeFileSync(path, '{ "version": 1, "brow')],
  ['of another form', (path: string) => writeFileSync(path, '{"version":1,"browsers":[{"id":true}]}')],
  ['of a newer version', (path: string) => writeFileSync(path, '{"version":2,"browsers":[]}')],
])('a file that was %s admits nobody, says so once, and is written anew by the next link', (_, damage) => {
  const dataDir = temporaryFolder()
  const browsers = open(dataDir)
  browsers.admit({ id: 'a', name: 'A' })
  damage(join(dataDir, 'browsers.json'))
  expect([browsers.has('a'), browsers.has('a')]).toEqual([false, false])
  expect(browsers.warnings).toHaveLength(1)
  browsers.admit({ id: 'b', name: 'B' })
  expect(browsers.list().map(({ id }) => id)).toEqual(['b'])
})

test('the file is for this user only, and a hundred browsers fit', () => {
  const dataDir = temporaryFolder()
  const clock = { now: 0 }
  const browsers = open(dataDir, () => ++clock.now)
  expect(existsSync(join(dataDir, 'browsers.json'))).toBe(false)
  for (let index = 0; index < 102; index++) browsers.admit({ id: `b${index}`, name: 'B' })
  expect(statSync(join(dataDir, 'browsers.json')).mode & 0o777).toBe(0o600)
  expect(browsers.list()).toHaveLength(100)
  expect([browsers.has('b0'), browsers.has('b1'), browsers.has('b2')]).toEqual([false, false, true])
})

test('thirty days begin again with each use, which is noted once an hour; the last used is first', () => {
  const [HOUR, DAY] = [3600_000, 24 * 3600_000]
  const dataDir = temporaryFolder()
  const clock = { now: 1 }
  const browsers = open(dataDir, () => clock.now)
  browsers.admit({ id: 'a', name: 'A' })
  browsers.admit({ id: 'b', name: 'B' })
  const path = join(dataDir, 'browsers.json')
  const before = readFileSync(path, 'utf8')
  clock.now = HOUR
  browsers.use('a')
  browsers.use('unknown')
  expect(readFileSync(path, 'utf8')).toBe(before)
  clock.now = 29 * DAY
  browsers.use('a')
  expect(browsers.list()).toEqual([
    { id: 'a', name: 'A', admittedAt: 1, usedAt: 29 * DAY, endsAt: 59 * DAY },
    { id: 'b', name: 'B', admittedAt: 1, usedAt: 1, endsAt: 30 * DAY + 1 },
  ])
  clock.now = 30 * DAY + 1
  expect([browsers.has('a'), browsers.has('b')]).toEqual([true, false])
  browsers.admit({ id: 'c', name: 'C' })
  expect(browsers.list().map(({ id }) => id)).toEqual(['c', 'a'])
  clock.now = 59 * DAY
  browsers.use('a')
  expect(browsers.has('a')).toBe(false)
})

test('a clock that was set back lengthens nothing', () => {
  const dataDir = temporaryFolder()
  const clock = { now: 90 * 24 * 3600_000 }
  const browsers = open(dataDir, () => clock.now)
  browsers.admit({ id: 'a', name: 'A' })
  clock.now -= 60 * 24 * 3600_000
  browsers.use('a')
  clock.now += 31 * 24 * 3600_000
  expect(browsers.has('a')).toBe(false)
})
