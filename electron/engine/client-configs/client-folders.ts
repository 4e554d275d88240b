import { isAbsolute, posix, win32 } from 'node:path'
import type { Machine } from '../ground/surroundings.ts'

export interface ClientFolders {
  readonly home: (...parts: string[]) => string
  /** `~/.config` and XDG_CONFIG_HOME; some apps ignore the latter. */
  readonly config: (...parts: string[]) => readonly string[]
  /** Electron apps: "Application Support", "AppData\Roaming", `~/.config`. */
  readonly appData: (...parts: string[]) => readonly string[]
  /** Windows only. */
  readonly localAppData: (...parts: string[]) => string
}

export function clientFolders({ platform, homeDir, env }: Machine): ClientFolders {
  const path = platform === 'win32' ? win32 : posix
  const join = (...parts: string[]): string => path.join(...parts)
  const home = (...parts: string[]): string => join(homeDir, ...parts)
  const xdg = env['XDG_CONFIG_HOME']
  const config = (...parts: string[]): string[] => {
    const usual = home('.config', ...parts)
    // XDG: relative paths are ignored.
    return platform !== 'win32' && xdg && isAbsolute(xdg) ? [join(xdg, ...parts), usual] : [usual]
  }
  const appData = (...parts: string[]): readonly string[] => {
    if (platform === 'win32') return [join(env['APPDATA'] || home('AppData', 'Roaming'), ...parts)]
    return platform === 'darwin' ? [home('Library', 'Application Support', ...parts)] : config(...parts)
  }
  const localAppData = (...parts: string[]): string =>
    join(env['LOCALAPPDATA'] || home('AppData', 'Local'), ...parts)
  return { home, config, appData, localAppData }
}
