import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readShellEnv } from '../../electron/app/shell-env.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { processesWith } from '../helpers/process-tree.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const read = (env: Record<string, string>, timeoutMs?: number, warnings: string[] = []) =>
  readShellEnv({
    env,
    platform: 'linux',
    execPath: process.execPath,
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

/** A home folder with this profile in its start-up files. */
function homeWith(profile: string): Record<string, string> {
  const home = temporaryFolder()
  writeFileSync(join(home, '.bash_profile'), profile)
  return { HOME: home, SHELL: '/bin/bash', PATH: '/usr/bin:/bin', LANG: 'C' }
}

describe.runIf(process.platform === 'linux')('the environment of the user’s shell', () => {
  it('has what start-up files set, whatever else they print', async () => {
    const env = homeWith(
      'echo hello\nexport PATH="/opt/my tools:$PATH" KEY=$\'two\\nlines\'\nprintf noise >&2\n',
    )
    expect(await read(env)).toMatchObject({
      PATH: expect.stringMatching(/^\/opt\/my tools:.*\/usr\/bin/) as string,
      KEY: 'two\nlines',
      LANG: 'C',
    })
    const found = await read(env)
    expect(found).not.toHaveProperty('ELECTRON_RUN_AS_NODE')
    expect(found).not.toHaveProperty('SHLVL')
  })

  it.each([
    ['that end the shell', 'exit 3\n'],
    ['that never end', 'while true; do sleep 0.1; done\n'],
    ['that start something and wait for it', 'sleep 987654 &\nwait\n'],
  ])('stays as it is with start-up files %s', async (_what, profile) => {
    const warnings: string[] = []
    const env = homeWith(profile)
    expect(await read(env, 600, warnings)).toEqual(env)
    expect(warnings).toHaveLength(1)
    expect(processesWith('sleep 987654')).toEqual([])
  })

  it.each([
    ['a terminal started us', { TERM: 'xterm', SHELL: '/bin/bash' }],
    ['the shell is one that is not known', { SHELL: '/usr/bin/nu' }],
  ])('is not asked for when %s', async (_what, env) => {
    expect(await read(env)).toBe(env)
  })

  it('stays as it is when the shell is not there', async () => {
    const env = { SHELL: '/nowhere/bash' }
    expect(await read(env)).toEqual(env)
  })

  it('takes a path with a quote in it', async () => {
    const folder = join(temporaryFolder(), "it's here")
    mkdirSync(folder)
    const node = join(folder, 'node')
    writeFileSync(node, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`)
    chmodSync(node, 0o755)
    const env = homeWith('export FOUND=yes\n')
    const found = await readShellEnv({ env, platform: 'linux', execPath: node, logger: silentLogger })
    expect(found['FOUND']).toBe('yes')
  })
})
