import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeError } from '../../../../electron/cli/describe-error.ts'
import { replaceFile } from '../../../../electron/engine/ground/files/replace-file.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

test('a disk that fills up while a file is written leaves the file, and is said with its name', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'config.json')
  writeFileSync(path, 'before')
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  let failure: unknown
  try {
    replaceFile(path, 0o600, () => {
      throw full
    })
  } catch (error) {
    failure = error
  }
  expect(describeError(failure, false)).toBe(
    `${path} can't be used: the disk is full. Make room, then try again.`,
  )
  expect(readdirSync(folder)).toEqual(['config.json'])
  expect(readFileSync(path, 'utf8')).toBe('before')
})
