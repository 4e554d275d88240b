import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Engine, EngineOptions } from '../../electron/engine/engine.ts'
import { createLogger } from '../../electron/engine/ground/logger.ts'
import { startTestEngine } from './test-engine.ts'

/** By data folder; a test ends its own. */
const hosted = new Map<string, Promise<Engine>>()
/** Longer than any test. */
const IDLE_MS = 3_600_000

/**
 * The engine that `sluice connect` on this data folder joins, in this process until the test's end: where its process isn't
 * the subject, that saves its start.
 */
export function hostEngine(dataDir: string, over: Partial<EngineOptions> = {}): Promise<Engine> {
  const known = hosted.get(dataDir)
  if (known) return known
  const path = join(dataDir, 'logs', 'sluice.log')
  const logger = createLogger({ level: 'info', file: { path, maxBytes: 5_000_000, keep: 3 }, now: Date.now })
  const opening = startTestEngine(dataDir, { watchSettings: true, logger, ...over }).then(
    async ({ engine, close }) => {
      onTestFinished(async () => {
        hosted.delete(dataDir)
        await close()
      })
      await engine.listenQuietly(IDLE_MS)
      return engine
    },
  )
  hosted.set(dataDir, opening)
  return opening
}
