import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../../../electron/engine/ground/files/make-folder.ts'
import { runCli } from '../../../helpers/run-cli.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

describe('a data folder', () => {
  test('is made with those above it, closed to other users; one that is there is left as it is', () => {
    const path = join(temporaryFolder(), 'a', 'b')
    makeFolder(path)
    makeFolder(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  test('that would lie in a file names the fault and the way out', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const outcome = expect.objectContaining({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/can't be made: .*--data-dir/),
    })
    expect(() => makeFolder(join(file, 'inner'))).toThrow(outcome)
    expect(() => makeFolder(file)).toThrow(outcome)
  })

  test.skipIf(process.platform !== 'linux')('below /proc is refused at once', async () => {
    const { code, stderr } = await runCli(['serve', '--port', '0', '--data-dir', '/proc/sluice/data'])
    expect(stderr).toMatch(/^sluice: The folder \/proc\/sluice\/data can't be made: .*--data-dir\)\.\n$/)
    expect(code).toBe(1)
  })

  test('that stands where a file is expected gives its reason without a raw error code', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'token', 'inner'), { recursive: true })
    const { code, stderr } = await runCli(['serve', '--port', '0', '--data-dir', dataDir])
    expect(code).toBe(1)
    expect(stderr).not.toContain('EISDIR:')
    expect(stderr).toContain(join(dataDir, 'token'))
  })
})
