import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnew, type StartAnewOptions } from '../../electron/cli/start-anew.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

interface Replaced {
  readonly nodeArgs: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** With what this process would be replaced; undefined where it stays. */
function replaced(over: Partial<StartAnewOptions>): Replaced | undefined {
  let with_: Replaced | undefined
  startAnew({
    args: ['--data-dir', 'x', 'serve'],
    nodeArgs: [],
    env: { PATH: '/bin' },
    platform: 'linux',
    isElectron: false,
    cores: 8,
    replace: (nodeArgs, env) => (with_ = { nodeArgs, env }),
    ...over,
  })
  return with_
}

test('only an engine that runs on, with glibc, gets its limits, and only once', () => {
  const anew = replaced({})
  expect(anew).toMatchObject({ nodeArgs: [], env: { PATH: '/bin', MALLOC_TRIM_THRESHOLD_: '131072' } })
  expect(replaced({ args: ['connect', 'github'] })).toBeUndefined()
  expect(replaced({ platform: 'darwin' })).toBeUndefined()
  expect(replaced({ isElectron: true })).toBeUndefined()
  expect(replaced({ replace: undefined })).toBeUndefined()
  // Somebody has decided already.
  expect(replaced({ env: { MALLOC_ARENA_MAX: '1' } })).toBeUndefined()
  const inherited = { ...anew?.env }
  expect(replaced({ env: inherited })).toBeUndefined()
  expect(inherited).toEqual({ PATH: '/bin' })
})

test('on few cores V8 has no more threads than are left beside the work, once', () => {
  const compress = { args: ['compress', '--jsonl'], platform: 'darwin', nodeArgs: ['--cpu-prof'] } as const
  expect(replaced({ ...compress, cores: 2 })).toMatchObject({ nodeArgs: ['--cpu-prof', '--v8-pool-size=1'] })
  expect(replaced({ ...compress, cores: 1 })?.nodeArgs).toContain('--v8-pool-size=1')
  expect(replaced({ ...compress, cores: 4 })?.nodeArgs).toContain('--v8-pool-size=3')
  expect(replaced({ ...compress, cores: 5 })).toBeUndefined()
  expect(replaced({ args: ['connect', 'github'], cores: 2 })).toBeUndefined()
  expect(replaced({ ...compress, cores: 2, nodeArgs: ['--v8-pool-size=2'] })).toBeUndefined()
  expect(replaced({ ...compress, cores: 2, env: { NODE_OPTIONS: '--v8-pool-size=2' } })).toBeUndefined()
  const env = { ...replaced({ ...compress, cores: 2, env: { MALLOC_ARENA_MAX: '4' } })?.env }
  expect(replaced({ ...compress, cores: 2, env })).toBeUndefined()
  // Only what was put in is taken out.
  expect(env).toEqual({ MALLOC_ARENA_MAX: '4' })
})

test.skipIf(process.platform !== 'linux')(
  'an engine has the limits from its start, under the process id that its starter knows',
  async () => {
    const folder = temporaryFolder()
    const engine = await startEngine(writeConfig(join(folder, 'data'), {}))
    onTestFinished(async () => void (await engine.stop()))
    const begun = readFileSync(`/proc/${engine.pid}/environ`, 'utf8').split('\0')
    expect(begun).toContain('MALLOC_TRIM_THRESHOLD_=131072')
    expect(begun).toContain('MALLOC_ARENA_MAX=1')
    expect(await engine.stop()).toBe(0)
  },
)
