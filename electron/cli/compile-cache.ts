import module from 'node:module'
import { isAbsolute, posix, win32 } from 'node:path'

export interface CachePlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
}

/**
 * From now on Node keeps what it has compiled and need not do so again at the next start, which then takes half the
 * time. Where the folder can't be written it goes without. Node's own choice would be the folder for temporary files,
 * but compiled code must lie where nobody else can put it.
 */
export function keepCompiledCode(place: CachePlace): void {
  const folder = compileCacheDir(place)
  // Electron's Node and others may have been built without it.
  if (folder !== undefined) module.enableCompileCache?.(folder)
}

/** The user's own folder for caches; undefined where there is no home to put it in. */
export function compileCacheDir({ env, platform, homeDir }: CachePlace): string | undefined {
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
  // The XDG specification: a relative path is invalid and to be ignored.
  const cacheHome = env['XDG_CACHE_HOME']
  const base = cacheHome && isAbsolute(cacheHome) ? cacheHome : posix.join(homeDir, '.cache')
  return posix.join(base, 'sluice', 'compiled')
}
