import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { app } from 'electron'
import { defaultDataDir } from '../cli/data-dir.ts'
import { homeFolder } from '../cli/home-folder.ts'
import { readVersion } from '../cli/version.ts'
import { makeFolder } from '../engine/ground/files/make-folder.ts'
import type { Surroundings } from '../engine/ground/surroundings.ts'
import { sayWhichApp } from './app-identity.ts'

/** electron/app reads the process environment only here. */
export interface DesktopPlace extends Surroundings {
  /** Shared with headless Sluice. */
  readonly dataDir: string
  readonly stderr: NodeJS.WriteStream
  readonly argv: readonly string[]
  /** Runs as Node with ELECTRON_RUN_AS_NODE. */
  readonly execPath: string
  readonly isPackaged: boolean
  /** Packaged files outside the program. */
  readonly resourcesPath: string
  readonly builtFolder: string
  readonly resourcesFolder: string
  /** By the login items of Windows and Linux. */
  readonly isHideRequested: boolean
}

export function usePlace(): DesktopPlace {
  const { env, platform } = process
  const argv = process.argv.slice(1)
  const homeDir = homeFolder()
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
    isHideRequested: hidden,
  }
  app.setName('Sluice')
  sayWhichApp(app, platform)
  return place
}

/** Chromium's data goes to a subfolder of the data folder. Throws STORE_FAILED. */
export function useDesktopFolder({ dataDir }: Pick<DesktopPlace, 'dataDir'>): void {
  const folder = join(dataDir, 'desktop')
  makeFolder(folder)
  app.setPath('userData', folder)
}

function optionsIn(argv: readonly string[]): { dataDir: string | undefined; hidden: boolean } {
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
