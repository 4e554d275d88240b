import module from 'node:module'
import { isAbsolute, posix, win32 } from 'node:path'
import type { Machine } from '../engine/ground/surroundings.ts'

/**
 * Halves the time of the next start. Does nothing if the folder isn't writable. Node's default is the temporary
 * folder, where other users could plant code.
 */
export function keepCompiledCode(place: Machine): void {
  const folder = compileCacheDir(place)
  // Missing in some builds of Node, such as Electron's.
  if (folder !== undefined) module.enableCompileCache?.(folder)
}

/** Undefined without a home folder. */
export function compileCacheDir({ env, platform, homeDir }: Machine): string | undefined {
  if (homeDir === '') return undefined
  if (platform === 'win32') {
    return win32.join(
      env['LOCALAPPDATA'] || win32.join(homeDir, 'AppData', 'Local'),
      'Sluice',
      'Cache',
      'compiled',
    )
  }
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Caches', 'Sluice', 'compiled')
  // XDG: relative paths are ignored.
  const cacheHome = env['XDG_CACHE_HOME']
  const base = cacheHome && isAbsolute(cacheHome) ? cacheHome : posix.join(homeDir, '.cache')
  return posix.join(base, 'sluice', 'compiled')
}
