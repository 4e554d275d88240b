import { resolve } from 'node:path'
import type { Launcher, NoLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import type { EngineCommand } from '../engine/clients/connector/start-engine.ts'
import type { CliContext, CommonOptions, ConnectContext } from './cli-context.ts'
import { defaultDataDir } from './data-dir.ts'
import { desktopLauncher } from './desktop-launcher.ts'
import { memorySettings } from './give-memory-back.ts'

const program = (): string =>
  resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../cli.ts' : '../cli.js')

/** What `sluice connect` starts where no engine runs: this program on the same runtime. */
export function backgroundEngine(
  { env, execPath, platform, isElectron }: ConnectContext,
  { dataDir, verbose }: CommonOptions,
): EngineCommand {
  const args = [program(), '--data-dir', dataDir, ...(verbose ? ['--verbose'] : []), 'engine']
  if (isElectron) return { command: execPath, args, env: { ...env, ELECTRON_RUN_AS_NODE: '1' } }
  return { command: execPath, args, env: memorySettings(args, { env, platform }) ?? env }
}

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
  const isFoundAnyway = dataDir === resolve(defaultDataDir({ platform, homeDir, env: {} }))
  const folder = isFoundAnyway ? [] : ['--data-dir', dataDir]
  return { command: execPath, args: [program(), ...folder] }
}
