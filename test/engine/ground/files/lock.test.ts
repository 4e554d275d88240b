import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  isLocked,
  tryLock,
  whileLocked,
  whileLockedAlone,
} from '../../../../electron/engine/ground/files/lock.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { turns } from '../../../helpers/turns.ts'

const place = () => {
  const path = join(temporaryFolder(onTestFinished), 'thing')
  return { path, patienceMs: 100_000, now: Date.now }
}

test('one after the other, also when one fails', async () => {
  const options = place()
  const seen: string[] = []
  const enter = (name: string) =>
    whileLockedAlone(options, async () => {
      seen.push(`${name} in`)
      await turns(50)
      seen.push(`${name} out`)
      if (name === 'b') throw new Error('b failed')
    }).catch(() => {})
  await Promise.all(['a', 'b', 'c'].map(enter))
  expect(seen.map((text) => text.split(' ')[1])).toEqual(['in', 'out', 'in', 'out', 'in', 'out'])
})

test('says so when the other is not done in time, and takes over from one that is dead', async () => {
  const options = { ...place(), patienceMs: 50 }
  writeFileSync(`${options.path}.lock`, String(process.pid))
  await expect(whileLockedAlone(options, async () => 1)).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  writeFileSync(`${options.path}.lock`, '999999999')
  expect(await whileLockedAlone(options, async () => 2)).toBe(2)
  const later = { ...options, now: () => Date.now() + 16 * 60_000 }
  writeFileSync(`${options.path}.lock`, String(process.pid))
  expect(await whileLockedAlone(later, async () => 3)).toBe(3)
})

test('a folder that is not there is told in words', async () => {
  const { path } = place()
  const below = { path: join(path, 'missing', 'thing'), patienceMs: 0, now: Date.now }
  await expect(whileLockedAlone(below, async () => 1)).rejects.toMatchObject({ code: 'STORE_FAILED' })
  mkdirSync(join(path, 'missing'), { recursive: true })
  expect(await whileLockedAlone(below, async () => 1)).toBe(1)
})

test('without waiting: one process has it until it lets go of it, a dead one has none', () => {
  const { path } = place()
  expect(isLocked(path)).toBe(false)
  const unlock = tryLock(path)
  expect(isLocked(path)).toBe(true)
  expect(tryLock(path)).toBeUndefined()
  unlock?.()
  expect(isLocked(path)).toBe(false)
  writeFileSync(path, '999999999')
  expect(isLocked(path)).toBe(false)
  expect(tryLock(path)).toBeTypeOf('function')
  expect(() => tryLock(join(path, 'below', 'lock'))).toThrow(/lock .* can't be written/)
})

test('the work of a start goes on where no lock can be written, and takes over that of a dead process', () => {
  const { path } = place()
  expect(whileLocked(join(path, 'not there', 'x'), () => 1)).toBe(1)
  writeFileSync(`${path}.opening`, '999999999')
  expect(whileLocked(path, () => isLocked(`${path}.opening`))).toBe(true)
  expect(isLocked(`${path}.opening`)).toBe(false)
})
