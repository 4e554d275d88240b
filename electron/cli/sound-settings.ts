import { join } from 'node:path'
import type { Settings } from '../../shared/settings.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { silentLogger } from '../engine/ground/logger.ts'
import { preparePatterns } from '../engine/settings/check-patterns.ts'
import { parseSettings } from '../engine/settings/parse-settings.ts'
import { readConfig, readConfigOrNothing } from '../engine/settings/read-config.ts'
import { formatProblem, type SettingsProblem } from '../engine/settings/settings-problem.ts'
import { CONFIG_FILE, openSettings, type SettingsStore } from '../engine/settings/settings-store.ts'
import type { CommonOptions } from './cli-context.ts'

type DataDir = Pick<CommonOptions, 'dataDir'>

/**
 * For one command, without an engine; a running one notices changes. Throws SETTINGS_INVALID for mistakes that put
 * the whole file out of effect, and if the command `edits` the file, also for those of single servers.
 */
export async function openSoundSettings(
  { dataDir }: DataDir,
  { edits = false } = {},
): Promise<SettingsStore> {
  await preparePatterns(readConfigOrNothing(join(dataDir, CONFIG_FILE)))
  const settings = openSettings({ dataDir, logger: silentLogger, watch: false })
  try {
    refuseMistakes(settings.path, settings.problems, edits)
  } catch (error) {
    settings.close()
    throw error
  }
  return settings
}

/** As `openSoundSettings`, and creates nothing. */
export async function readSoundSettings({ dataDir }: DataDir): Promise<Settings> {
  const path = join(dataDir, CONFIG_FILE)
  const text = readConfig(path)
  await preparePatterns(text)
  const { usable, bare, problems } = parseSettings(text ?? '{}')
  refuseMistakes(path, problems, false)
  return usable ?? bare
}

function refuseMistakes(path: string, problems: readonly SettingsProblem[], edits: boolean): void {
  const isWhole = problems.some(({ serverId }) => serverId === undefined)
  if (problems.length === 0 || (!isWhole && !edits)) return
  const [mistakes, them] = problems.length === 1 ? ['a mistake', 'it'] : ['mistakes', 'them']
  throw new SluiceError(
    'SETTINGS_INVALID',
    [
      `${path} has ${mistakes}, so ${isWhole ? 'its settings are not in effect and ' : ''}nothing was done:`,
      ...problems.map((problem) => `  ${formatProblem(problem, CONFIG_FILE)}`),
      `Correct ${them}, then run the command again.`,
    ].join('\n'),
    { data: { problems } },
  )
}
