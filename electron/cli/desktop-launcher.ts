import { join, resolve } from 'node:path'
import type { Launcher, NoLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import type { Machine } from '../engine/ground/surroundings.ts'
import { defaultDataDir } from './data-dir.ts'

export interface LauncherPlace extends Machine {
  readonly tempDir: string
  readonly dataDir: string
  readonly builtFolder: string
  readonly execPath: string
}

/** Relative to the mount point, which changes with each start. */
const IN_APPIMAGE = 'resources/app.asar/dist/electron/cli.js'

/** From the current mount point; arguments start where a script's would. */
const APPIMAGE_SCRIPT = `process.argv.splice(1,1,"sluice");import(require("url").pathToFileURL(process.env.APPDIR+"/${IN_APPIMAGE}"))`

const PORTABLE_HAS_NO_LAUNCHER =
  'This is the portable Sluice. It unpacks itself to a temporary folder and takes it away when it quits, so AI apps can’t start it and none of them was changed. Install Sluice with its setup program.'

/**
 * The app's executable as Node (ELECTRON_RUN_AS_NODE) with the packaged CLI. Unavailable if it disappears when the
 * app exits; the outer file passes neither stdin nor stdout on.
 */
export function desktopLauncher(place: LauncherPlace): Launcher | NoLauncher {
  if (isPortable(place)) return { unavailable: PORTABLE_HAS_NO_LAUNCHER }
  const { platform, homeDir, dataDir, builtFolder, execPath } = place
  const isFoundAnyway = dataDir === resolve(defaultDataDir({ platform, homeDir, env: {} }))
  const folder = isFoundAnyway ? [] : ['--data-dir', dataDir]
  const asNode = { ELECTRON_RUN_AS_NODE: '1' }
  const appImage = appImageOf(place)
  return appImage === undefined
    ? { command: execPath, args: [join(builtFolder, 'electron', 'cli.js'), ...folder], env: asNode }
    : // Without a usable sandbox the start script prepends --no-sandbox unless present.
      { command: appImage, args: ['-e', APPIMAGE_SCRIPT, '--', '--no-sandbox', ...folder], env: asNode }
}

export const unpackingFileOf = (place: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  appImageOf(place) ?? portableFileOf(place)

/** Also by the extraction folder, because a terminal lacks the portable program's variable. */
const isPortable = (place: LauncherPlace): boolean =>
  portableFileOf(place) !== undefined ||
  (place.platform === 'win32' && place.execPath.toLowerCase().startsWith(`${place.tempDir.toLowerCase()}\\`))

/** electron-builder's portable Windows program names itself in a variable. */
const portableFileOf = ({ platform, env }: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  platform === 'win32' && env['PORTABLE_EXECUTABLE_FILE'] ? env['PORTABLE_EXECUTABLE_FILE'] : undefined

/** Started by the user. */
const appImageOf = ({ platform, env }: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  platform === 'linux' && env['APPIMAGE'] ? env['APPIMAGE'] : undefined
