import { silentLogger } from '../../engine/ground/logger.ts'
import { createReplay, type Replay } from '../../engine/replay/create-replay.ts'
import { explorationToolDefinitions } from '../../engine/results/exploration-tools.ts'
import { countTokens } from '../../engine/text/tokens/count-tokens.ts'
import { WorkerPool } from '../../engine/work/worker-pool.ts'
import type { CliContext } from '../cli-context.ts'
import { readSoundSettings } from '../sound-settings.ts'

/** With threads of its own, and no engine. */
export async function openReplay(
  context: CliContext,
  dataDir: string,
  threads: number,
): Promise<Replay & AsyncDisposable> {
  const settings = await readSoundSettings({ dataDir })
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
