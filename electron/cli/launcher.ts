import { resolve } from 'node:path'
import type { Launcher, NoLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { defaultDataDir } from './data-dir.ts'
import { desktopLauncher } from './desktop-launcher.ts'

/**
 * This Node and program on the same data folder, or the desktop app's launcher. The folder is named unless it is
 * found without variables, because some apps pass hardly any.
 */
export function launcherOf(
  { platform, homeDir, tempDir, env, execPath, isElectron }: CliContext,
  { dataDir }: Pick<CommonOptions, 'dataDir'>,
): Launcher | NoLauncher {
  if (isElectron) {
    const builtFolder = resolve(import.meta.dirname, '../..')
    return desktopLauncher({ platform, homeDir, tempDir, env, dataDir, builtFolder, execPath })
  }
  const program = import.meta.url.endsWith('.ts') ? '../cli.ts' : '../cli.js'
  const isFoundAnyway = dataDir === resolve(defaultDataDir({ platform, homeDir, env: {} }))
  const folder = isFoundAnyway ? [] : ['--data-dir', dataDir]
  return { command: execPath, args: [resolve(import.meta.dirname, program), ...folder] }
}
