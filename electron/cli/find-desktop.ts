import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface DesktopFacts {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly runtime: string | undefined
  /** Built. */
  readonly main: string
  readonly exists: (path: string) => boolean
}

export type Desktop = { readonly runtime: string; readonly main: string } | { readonly missing: string }

export function findDesktop({ platform, env, runtime, main, exists }: DesktopFacts): Desktop {
  if (runtime === undefined || !exists(runtime))
    return { missing: 'Electron’s runtime is not installed here ("npx install-electron" fetches it)' }
  if (!exists(main)) return { missing: 'the desktop app is not built ("npm run build" builds it)' }
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  return hasDisplay ? { runtime, main } : { missing: 'there is no display for a window' }
}

/** Requiring the package `electron` would start a download. */
export function installedRuntime(from: string = import.meta.url): string | undefined {
  try {
    const folder = dirname(createRequire(from).resolve('electron/package.json'))
    const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
