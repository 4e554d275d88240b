import { createEngine, type Engine } from '../../electron/engine/engine.ts'
import type { EngineOptions } from '../../electron/engine/engine.ts'
import { createLogger, type Logger } from '../../electron/engine/ground/logger.ts'
import { Grace } from '../../electron/engine/clients/session/grace.ts'
import { GIVE_UP_MS } from './give-up.ts'
import { leaseWorkers } from './lease-workers.ts'

export interface TestEngine {
  readonly engine: Engine
  readonly logger: Logger
  readonly close: () => Promise<void>
}

/**
 * In this process, on this data folder and machine; `homeDir` (default: the data folder): where AI apps are searched.
 * No log file, no watching of config.json, no threads of its own and no list without a slow server unless `over` says so.
 */
export async function startTestEngine(
  dataDir: string,
  over: Partial<EngineOptions> = {},
): Promise<TestEngine> {
  const logger = over.logger ?? createLogger({ level: 'error', now: Date.now })
  const engine = await createEngine({
    env: process.env,
    nodeTrusts: process.env['NODE_EXTRA_CA_CERTS'],
    platform: process.platform,
    homeDir: dataDir,
    tempDir: dataDir,
    now: Date.now,
    version: '0.0.0',
    watchSettings: false,
    workers: leaseWorkers(),
    startGrace: () => new Grace(GIVE_UP_MS, GIVE_UP_MS),
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
