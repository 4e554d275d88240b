import { createEngineLogger } from '../cli/create-logger.ts'
import { engineOptions } from '../cli/engine-options.ts'
import type { EngineOptions } from '../engine/engine.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import type { Listening } from '../engine/clients/listeners.ts'
import type { RootLogger } from '../engine/ground/logger.ts'
import type { DesktopPlace } from './desktop-place.ts'

export interface EngineHost {
  readonly engine: Engine
  readonly listening: Listening
  /** Undefined if the HTTP port is config.json's. */
  readonly portTaken: string | undefined
  close(): Promise<readonly string[]>
}

export const createDesktopLogger = (place: DesktopPlace): RootLogger =>
  createEngineLogger(place, { dataDir: place.dataDir, verbose: false }, 'warn')

export async function startEngineHost(
  place: DesktopPlace,
  logger: RootLogger,
  options: Pick<EngineOptions, 'env' | 'launcher' | 'desktop' | 'secrets' | 'forkModelProcess'>,
): Promise<EngineHost> {
  const engine = await createEngine({ ...engineOptions(place, place, logger), ...options })
  try {
    const { listening, portTaken } = await listen(engine, logger)
    return { engine, listening, portTaken, close: () => endAll(engine) }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** A taken port affects HTTP clients only. */
async function listen(
  engine: Engine,
  logger: RootLogger,
): Promise<Pick<EngineHost, 'listening' | 'portTaken'>> {
  try {
    return { listening: await engine.listen(), portTaken: undefined }
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'PORT_TAKEN') throw error
    logger.error(error.message)
    return { listening: await engine.listen({ port: 0 }), portTaken: error.message }
  }
}

/** The engine's steps for one server take at most 6 s. */
const LONGEST_END_MS = 15_000

async function endAll(engine: Engine): Promise<readonly string[]> {
  const running = Object.keys(engine.settings.current.servers).flatMap((id) =>
    engine.serverStates.of(id).connections.flatMap(({ pid }) => (pid === undefined ? [] : [{ id, pid }])),
  )
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), LONGEST_END_MS).unref())
  const ended = await Promise.race([engine.close(), late])
  const resisting = running.filter(({ pid }) => isAlive(pid)).map(({ id, pid }) => `${id} (process ${pid})`)
  return ended === 'late' && resisting.length === 0 ? ['a part of Sluice itself'] : resisting
}

/** On POSIX, its group. */
function isAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
    return true
  } catch {
    return false
  }
}
