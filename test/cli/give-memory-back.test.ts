import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { giveMemoryBack, type GiveMemoryBackOptions } from '../../electron/cli/give-memory-back.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/** The environment this process would be replaced with; undefined where it stays. */
function replaced(over: Partial<GiveMemoryBackOptions>): NodeJS.ProcessEnv | undefined {
  let with_: NodeJS.ProcessEnv | undefined
  giveMemoryBack({
    args: ['--data-dir', 'x', 'serve'],
    env: { PATH: '/bin' },
    platform: 'linux',
    isElectron: false,
    replace: (env) => (with_ = env),
    ...over,
  })
  return with_
}

test('only an engine that runs on, with glibc, is started anew, and only once', () => {
  const env = replaced({})
  expect(env).toMatchObject({ PATH: '/bin', MALLOC_TRIM_THRESHOLD_: '131072' })
  expect(replaced({ args: ['connect', 'github'] })).toBeUndefined()
  expect(replaced({ platform: 'darwin' })).toBeUndefined()
  expect(replaced({ isElectron: true })).toBeUndefined()
  // Already set by the user.
  expect(replaced({ env: { MALLOC_ARENA_MAX: '1' } })).toBeUndefined()
  const inherited = { ...env }
  expect(replaced({ env: inherited })).toBeUndefined()
  expect(inherited).toEqual({ PATH: '/bin' })
})

test.skipIf(process.platform !== 'linux')(
  'an engine has the limits from its start, under the process id that its starter knows',
  async () => {
    const folder = temporaryFolder()
    const dataDir = writeConfig(join(folder, 'data'), { s: testServer('surroundings') })
    const engine = await startEngine(dataDir)
    onTestFinished(async () => void (await engine.stop()))
    const begun = readFileSync(`/proc/${engine.pid}/environ`, 'utf8').split('\0')
    expect(begun).toContain('MALLOC_TRIM_THRESHOLD_=131072')
    expect(begun).toContain('MALLOC_ARENA_MAX=1')
    // Its servers don't.
    const args = [CLI, 'connect', '--server', 's', '--data-dir', dataDir]
    const client = new RawClient({ command: process.execPath, args })
    await client.initialize()
    const told = JSON.stringify(await client.request('tools/call', { name: 'tell', arguments: {} }))
    expect(told).toContain('PATH')
    expect(told).not.toMatch(/MALLOC_|SLUICE_GIVES/)
    await client.end()
    expect(await engine.stop()).toBe(0)
  },
)
