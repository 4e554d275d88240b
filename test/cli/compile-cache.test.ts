import { expect, test } from 'vitest'
import { compileCacheDir } from '../../electron/cli/compile-cache.ts'

test.each([
  ['linux', '/home/a', {}, '/home/a/.cache/sluice/compiled'],
  ['linux', '/home/a', { XDG_CACHE_HOME: '/c' }, '/c/sluice/compiled'],
  ['linux', '/home/a', { XDG_CACHE_HOME: 'c' }, '/home/a/.cache/sluice/compiled'],
  ['darwin', '/Users/a', { XDG_CACHE_HOME: '/c' }, '/Users/a/Library/Caches/Sluice/compiled'],
  ['win32', 'C:\\Users\\a', {}, 'C:\\Users\\a\\AppData\\Local\\Sluice\\Cache\\compiled'],
  ['win32', 'C:\\Users\\a', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\Sluice\\Cache\\compiled'],
  ['linux', '', {}, undefined],
] as const)(
  "compiled code is kept in the user's own folder: %s, %s, %o",
  (platform, homeDir, env, folder) => {
    expect(compileCacheDir({ platform, homeDir, env })).toBe(folder)
  },
)
