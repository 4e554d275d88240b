import { createEngineLogger } from '../cli/create-logger.ts'
import { engineOptions } from '../cli/engine-options.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { Listening } from '../engine/listeners.ts'
import type { RootLogger } from '../engine/logger.ts'
import type { DesktopPlace } from './desktop-place.ts'

/** The engine inside the desktop app. */
export interface EngineHost {
  readonly engine: Engine
  readonly logger: RootLogger
  readonly listening: Listening
  /** Ends sessions and servers, then the engine; resolves when every end is confirmed. */
  close(): Promise<void>
}

/** Starts the engine and opens its ways in, as `sluice serve` does, so that wrapped clients reach it. */
export async function startEngineHost(place: DesktopPlace): Promise<EngineHost> {
  const logger = createEngineLogger(place, { dataDir: place.dataDir, verbose: false }, 'warn')
  const engine = await createEngine(engineOptions(place, place, logger))
  try {
    const listening = await engine.listen()
    return { engine, logger, listening, close: () => engine.close().finally(() => logger.close()) }
  } catch (error) {
    await engine.close().finally(() => logger.close())
    throw error
  }
}
