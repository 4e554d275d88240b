import { join } from 'node:path'
import type { Settings } from '../../../shared/settings.ts'
import { SluiceError } from '../../engine/ground/errors.ts'
import { silentLogger } from '../../engine/ground/logger.ts'
import { createReplay, type Replay } from '../../engine/replay/create-replay.ts'
import { explorationToolDefinitions } from '../../engine/results/exploration-tools.ts'
import { parseSettings } from '../../engine/settings/parse-settings.ts'
import { readConfig } from '../../engine/settings/read-config.ts'
import { formatProblem } from '../../engine/settings/settings-problem.ts'
import { CONFIG_FILE } from '../../engine/settings/settings-store.ts'
import { countTokens } from '../../engine/text/tokens/count-tokens.ts'
import { WorkerPool } from '../../engine/work/worker-pool.ts'
import type { CliContext } from '../cli-context.ts'

/** With threads of its own, and no engine. */
export function openReplay(context: CliContext, dataDir: string, threads: number): Replay & AsyncDisposable {
  const settings = readSettings(join(dataDir, CONFIG_FILE))
  const workers = new WorkerPool({ logger: silentLogger, size: threads })
  const replay = createReplay({
    ...context,
    dataDir,
    settings: () => settings,
    workers,
    parallel: threads,
    listedTokens: countTokens(JSON.stringify(explorationToolDefinitions())),
  })
  return { ...replay, [Symbol.asyncDispose]: () => workers.close() }
}

function readSettings(path: string): Settings {
  const text = readConfig(path)
  if (text === undefined) return parseSettings('{}').bare
  const { settings, usable, problems } = parseSettings(text)
  const known = settings ?? usable
  if (known) return known
  const [first] = problems
  throw new SluiceError(
    'SETTINGS_INVALID',
    first ? formatProblem(first, CONFIG_FILE) : `${path} can't be read. \`sluice doctor\` says why.`,
  )
}
