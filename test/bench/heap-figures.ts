import type { RunningEngine } from '../helpers/running-engine.ts'
import { inspectEngine } from './inspect-engine.ts'

/** Process memory in MB: `process.memoryUsage()` of the main thread. */
export interface HeapFigures {
  readonly heapTotal: number
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
}

/** Flags for an engine that `heapFigures` can query. */
export const INSPECTABLE = ['--inspect-port=0']

/** Opens the engine’s inspector by signal, which itself takes memory from then on. */
export async function heapFigures(engine: RunningEngine): Promise<HeapFigures> {
  const { evaluate, close } = await inspectEngine(engine)
  const said = await evaluate('JSON.stringify(process.memoryUsage())')
  close()
  const bytes = JSON.parse(String(said)) as HeapFigures
  const mb = (value: number): number => value / 1024 / 1024
  return {
    heapTotal: mb(bytes.heapTotal),
    heapUsed: mb(bytes.heapUsed),
    external: mb(bytes.external),
    arrayBuffers: mb(bytes.arrayBuffers),
  }
}
