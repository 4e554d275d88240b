import { isAbsolute, posix, win32 } from 'node:path'
import type { Machine } from '../engine/ground/surroundings.ts'

/** The platform's folder for settings. */
export function defaultDataDir({ env, platform, homeDir }: Machine): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] || win32.join(homeDir, 'AppData', 'Roaming'), 'Sluice')
  }
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Application Support', 'Sluice')
  // XDG: relative paths are ignored.
  const configHome = env['XDG_CONFIG_HOME']
  const base = configHome && isAbsolute(configHome) ? configHome : posix.join(homeDir, '.config')
  return posix.join(base, 'sluice')
}
