import { join, resolve } from 'node:path'
import type { Launcher, NoLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import { defaultDataDir } from './data-dir.ts'

export interface LauncherPlace {
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly tempDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataDir: string
  /** Where the built program is, inside the package: `dist`. */
  readonly builtFolder: string
  /** The app's executable. */
  readonly execPath: string
}

/** Below the folder that an AppImage mounts, which is another one at each start. */
const IN_APPIMAGE = 'resources/app.asar/dist/electron/cli.js'

/** Runs the CLI out of wherever the AppImage is mounted now; the arguments start where a script's would. */
const APPIMAGE_SCRIPT = `process.argv.splice(1,1,"sluice");import(require("url").pathToFileURL(process.env.APPDIR+"/${IN_APPIMAGE}"))`

const PORTABLE_HAS_NO_LAUNCHER =
  'This is the portable Sluice. It unpacks itself to a temporary folder and takes it away when it quits, so AI apps can’t start it and none of them was changed. Install Sluice with its setup program.'

/**
 * What AI apps' configurations start: the app's own executable, which is Node with ELECTRON_RUN_AS_NODE, on the CLI that
 * lies in the package. None where that is gone with the app's end; the file that the user starts is no way around it,
 * because it hands neither stdin nor stdout on to what it unpacks.
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
    : // Where the system allows no sandbox, its start script puts --no-sandbox first unless it is there already.
      { command: appImage, args: ['-e', APPIMAGE_SCRIPT, '--', '--no-sandbox', ...folder], env: asNode }
}

/** The file that the user starts, where it unpacks the app to somewhere else at each start. */
export const unpackingFileOf = (place: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  appImageOf(place) ?? portableFileOf(place)

/** A terminal knows nothing of the portable program's own variable; what it unpacked lies there all the same. */
const isPortable = (place: LauncherPlace): boolean =>
  portableFileOf(place) !== undefined ||
  (place.platform === 'win32' && place.execPath.toLowerCase().startsWith(`${place.tempDir.toLowerCase()}\\`))

/** electron-builder's portable program for Windows names itself to what it unpacked. */
const portableFileOf = ({ platform, env }: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  platform === 'win32' && env['PORTABLE_EXECUTABLE_FILE'] ? env['PORTABLE_EXECUTABLE_FILE'] : undefined

/** The file that the user starts, where this is an AppImage. */
const appImageOf = ({ platform, env }: Pick<LauncherPlace, 'platform' | 'env'>): string | undefined =>
  platform === 'linux' && env['APPIMAGE'] ? env['APPIMAGE'] : undefined
