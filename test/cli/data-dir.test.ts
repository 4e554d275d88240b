import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { defaultDataDir } from '../../electron/cli/data-dir.ts'
import { homeFolder } from '../../electron/cli/home-folder.ts'

test.each(['', 'relative/home'])('HOME is "%s": the home folder of the user database counts', (home) => {
  expect(homeFolder(home)).toBe(userInfo().homedir)
})

describe('defaultDataDir', () => {
  test.each([
    ['linux', {}, '/home/ada', '/home/ada/.config/sluice'],
    ['linux', { XDG_CONFIG_HOME: '/conf' }, '/home/ada', '/conf/sluice'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada', '/home/ada/.config/sluice'],
    ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada', '/home/ada/.config/sluice'],
    ['darwin', { XDG_CONFIG_HOME: '/conf' }, '/Users/ada', '/Users/ada/Library/Application Support/Sluice'],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada',
      'C:\\Users\\ada\\AppData\\Roaming\\Sluice',
    ],
    ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming\\Sluice'],
  ] as const)('%s with %o', (platform, env, homeDir, expected) => {
    expect(defaultDataDir({ platform, env, homeDir })).toBe(expected)
  })
})
