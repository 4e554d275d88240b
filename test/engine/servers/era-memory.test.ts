import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { createEraMemory } from '../../../electron/engine/servers/era-memory.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const DAY_MS = 24 * 3600_000

function world() {
  const clock = { now: 1_800_000_000_000 }
  const path = join(temporaryFolder(onTestFinished), 'eras.json')
  const open = () => createEraMemory({ path, now: () => clock.now, logger: silentLogger })
  return { clock, path, open }
}

test('outlives the process, and several processes keep what each of them learnt', () => {
  const { path, open } = world()
  const [one, two] = [open(), open()]
  expect(one.get('a')).toBeUndefined()
  expect(two.get('b')).toBeUndefined()
  one.set('a --token s3cret', 'modern', true)
  two.set('b', 'legacy', true)
  expect(open().get('a --token s3cret')).toBe('modern')
  expect(open().get('b')).toBe('legacy')
  expect(readFileSync(path, 'utf8')).not.toContain('s3cret')
})

test('is forgotten after thirty days, or after one where it followed from silence', () => {
  const { clock, open } = world()
  const memory = open()
  memory.set('answered', 'legacy', true)
  memory.set('silent', 'legacy', false)
  clock.now += DAY_MS + 1
  expect([memory.get('answered'), memory.get('silent')]).toEqual(['legacy', undefined])
  clock.now += 29 * DAY_MS
  expect(memory.get('answered')).toBeUndefined()
})

test('silence does not replace an answer, an answer replaces anything', () => {
  const { open } = world()
  const memory = open()
  memory.set('a', 'modern', true)
  memory.set('a', 'legacy', false)
  expect(open().get('a')).toBe('modern')
  memory.set('a', 'legacy', true)
  expect(open().get('a')).toBe('legacy')
})

test('a damaged file is a memory of nothing; without one it lasts as long as the process', () => {
  const { path, open } = world()
  writeFileSync(path, '{"version":1,"eras":{"x":')
  expect(open().get('x')).toBeUndefined()
  const nowhere = createEraMemory({
    path: join(path, 'below-a-file', 'eras.json'),
    now: Date.now,
    logger: silentLogger,
  })
  nowhere.set('a', 'legacy', true)
  expect(nowhere.get('a')).toBe('legacy')
})
