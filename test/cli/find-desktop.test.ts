import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDesktop, installedRuntime } from '../../electron/cli/find-desktop.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const facts = {
  platform: 'linux' as const,
  env: { DISPLAY: ':0' },
  runtime: '/electron',
  main: '/main.js',
  exists: () => true,
}

describe('the desktop app of a checkout', () => {
  it.each([
    ['with everything there', facts, { runtime: '/electron', main: '/main.js' }],
    ['with Wayland', { ...facts, env: { WAYLAND_DISPLAY: 'wayland-0' } }, { runtime: '/electron' }],
    ['without a display on Linux', { ...facts, env: {} }, { missing: 'there is no display for a window' }],
    [
      'without DISPLAY on macOS',
      { ...facts, platform: 'darwin' as const, env: {} },
      { runtime: '/electron' },
    ],
    [
      'without a runtime',
      { ...facts, runtime: undefined },
      { missing: expect.stringContaining('install-electron') as string },
    ],
    [
      'with a runtime that is gone',
      { ...facts, exists: (path: string) => path !== '/electron' },
      { missing: expect.stringContaining('runtime') as string },
    ],
    [
      'before it is built',
      { ...facts, exists: (path: string) => path !== '/main.js' },
      { missing: expect.stringContaining('npm run build') as string },
    ],
  ])('%s', (_what, given, expected) => {
    expect(findDesktop(given)).toMatchObject(expected)
  })

  it('is looked for without a download', () => {
    const from = join(temporaryFolder(), 'x.js')
    writeFileSync(from, '')
    chmodSync(from, 0o600)
    expect(installedRuntime(from)).toBeUndefined()
  })
})
