import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { app } from 'electron'
import { defaultDataDir } from '../cli/data-dir.ts'
import { readVersion } from '../cli/version.ts'
import { makeFolder } from '../engine/ground/files/make-folder.ts'
import type { Surroundings } from '../engine/ground/surroundings.ts'
import { sayWhichApp } from './app-identity.ts'

/** What the desktop app knows of the process it runs in; nothing else in electron/app reads it from there. */
export interface DesktopPlace extends Surroundings {
  /** Absolute path; the same one that headless Sluice uses. */
  readonly dataDir: string
  readonly stderr: NodeJS.WriteStream
  /** The program's own arguments. */
  readonly argv: readonly string[]
  /** The app's executable: Node, where ELECTRON_RUN_AS_NODE says so. */
  readonly execPath: string
  readonly isPackaged: boolean
  /** Where a packager puts what belongs to the app and not to its program. */
  readonly resourcesPath: string
  /** Where the program's files are: `dist`, in the package and in the sources' build alike. */
  readonly builtFolder: string
  /** Icons and other data of the program's. */
  readonly resourcesFolder: string
  /** Started at login: no window until somebody asks for it. */
  readonly startsHidden: boolean
}

/** Reads the process. */
export function usePlace(): DesktopPlace {
  const { env, platform } = process
  const argv = process.argv.slice(1)
  const homeDir = homedir()
  const { dataDir = defaultDataDir({ env, platform, homeDir }), hidden } = optionsIn(argv)
  const builtFolder = resolve(import.meta.dirname, '../..')
  const place = {
    dataDir: resolve(dataDir),
    env,
    platform,
    homeDir,
    tempDir: tmpdir(),
    now: Date.now,
    version: readVersion(),
    stderr: process.stderr,
    argv,
    execPath: process.execPath,
    isPackaged: app.isPackaged,
    resourcesPath: process.resourcesPath,
    resourcesFolder: join(builtFolder, '../resources'),
    builtFolder,
    startsHidden: hidden,
  }
  app.setName('Sluice')
  sayWhichApp(app, platform)
  return place
}

/**
 * Puts what Chromium keeps into a folder of its own below the data folder, which must be there first. Throws STORE_FAILED
 * with a reason and a way out.
 */
export function useDesktopFolder({ dataDir }: Pick<DesktopPlace, 'dataDir'>): void {
  const folder = join(dataDir, 'desktop')
  makeFolder(folder)
  app.setPath('userData', folder)
}

/** Electron and the system add arguments of their own; those are none of ours. */
export function optionsIn(argv: readonly string[]): { dataDir: string | undefined; hidden: boolean } {
  const { values } = parseArgs({
    args: [...argv],
    options: { 'data-dir': { type: 'string' }, hidden: { type: 'boolean' } },
    strict: false,
  })
  const dataDir = values['data-dir']
  return {
    dataDir: typeof dataDir === 'string' && dataDir !== '' ? dataDir : undefined,
    hidden: values['hidden'] === true,
  }
}
