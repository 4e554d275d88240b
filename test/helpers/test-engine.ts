import { createEngine, type Engine } from '../../electron/engine/engine.ts'
import type { EngineOptions } from '../../electron/engine/engine.ts'
import { createLogger, type Logger } from '../../electron/engine/ground/logger.ts'

export interface TestEngine {
  readonly engine: Engine
  readonly logger: Logger
  readonly close: () => Promise<void>
}

/**
 * A real engine in this process on this data folder, on the machine as it is; `homeDir` (the data folder unless said) is
 * where it looks for AI apps. It writes no log file and does not watch config.json unless `over` says so.
 */
export async function startTestEngine(
  dataDir: string,
  over: Partial<EngineOptions> = {},
): Promise<TestEngine> {
  const logger = over.logger ?? createLogger({ level: 'error', now: Date.now })
  const engine = await createEngine({
    env: process.env,
    platform: process.platform,
    homeDir: dataDir,
    tempDir: dataDir,
    now: Date.now,
    version: '0.0.0',
    watchSettings: false,
    ...over,
    dataDir,
    logger,
  })
  return {
    engine,
    logger,
    close: async () => {
      await engine.close()
      logger.close()
    },
  }
}
