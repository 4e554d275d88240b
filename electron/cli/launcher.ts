import { resolve } from 'node:path'
import type { Launcher } from '../engine/client-configs/entries/sluice-entry.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { defaultDataDir } from './data-dir.ts'

/**
 * What clients' configurations start: this Node with this program, on the same data folder. The folder is named unless
 * it is found without any variables: some apps hand on hardly any.
 */
export function launcherOf(
  { platform, homeDir, execPath }: CliContext,
  { dataDir }: CommonOptions,
): Launcher {
  const program = import.meta.url.endsWith('.ts') ? '../cli.ts' : '../cli.js'
  const isFoundAnyway = dataDir === resolve(defaultDataDir({ platform, homeDir, env: {} }))
  const folder = isFoundAnyway ? [] : ['--data-dir', dataDir]
  return { command: execPath, args: [resolve(import.meta.dirname, program), ...folder] }
}
