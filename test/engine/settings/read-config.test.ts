import { spawnSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readConfigOrNothing } from '../../../electron/engine/settings/read-config.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('a text is read, and a missing one is undefined', () => {
  const path = join(temporaryFolder(), 'config.json')
  expect([readConfig(path), readConfigOrNothing(path)]).toEqual([undefined, undefined])
  writeFileSync(path, '{}')
  expect([readConfig(path), readConfigOrNothing(path)]).toEqual(['{}', '{}'])
})

test('a folder and a file that is too large are refused, or nothing where their reader is asked again', () => {
  const folder = temporaryFolder()
  const [directory, large] = [join(folder, 'directory'), join(folder, 'large')]
  mkdirSync(directory)
  writeFileSync(large, '{}')
  truncateSync(large, 16_000_001)
  for (const path of [directory, large]) {
    expect(() => readConfig(path)).toThrow(/can't be read: it (is a folder|has 16000001 bytes)/)
    expect(readConfigOrNothing(path)).toBeUndefined()
  }
})

test.skipIf(process.platform === 'win32')('a pipe is refused, and not waited for', () => {
  const path = join(temporaryFolder(), 'config.json')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  expect(() => readConfig(path)).toThrow(/it is not a regular file/)
  expect(readConfigOrNothing(path)).toBeUndefined()
})
