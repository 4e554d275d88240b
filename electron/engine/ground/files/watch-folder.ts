import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Logger } from '../logger.ts'

const LOOKED_EVERY_MS = 10_000

export function watchFolder(options: {
  readonly dataDir: string
  readonly logger: Logger
  readonly everyMs?: number
}): () => void {
  const { dataDir, logger, everyMs = LOOKED_EVERY_MS } = options
  const own = statSync(dataDir, { bigint: true }).ino
  let isReported = false
  const look = async (): Promise<void> => {
    const found = await stat(dataDir, { bigint: true }).catch((error: NodeJS.ErrnoException) => error)
    if (isReported || ('ino' in found ? found.ino === own : found.code !== 'ENOENT')) return
    isReported = true
    clearInterval(looking)
    logger.error(
      `The data folder ${dataDir} was removed or replaced while Sluice runs on it. What is written from now on is lost, and other processes see other settings and approvals. Put the folder back, then end this Sluice and start it again.`,
    )
  }
  const looking = setInterval(() => void look(), everyMs).unref()
  return () => clearInterval(looking)
}
