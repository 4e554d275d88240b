import { join } from 'node:path'
import { createLogger } from '../engine/ground/logger.ts'
import type { LogLevel, RootLogger } from '../engine/ground/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'

const LOG_BYTES = 5_000_000
const LOGS_KEPT = 3

/** config.json's logLevel applies to the file, `stderrLevel` to stderr. --verbose overrides both. */
export function createEngineLogger(
  { stderr, now }: Pick<CliContext, 'stderr' | 'now'>,
  { dataDir, verbose }: CommonOptions,
  stderrLevel: LogLevel,
): RootLogger {
  const logger = createLogger({
    level: verbose ? 'debug' : 'info',
    stderr,
    stderrLevel: verbose ? 'debug' : stderrLevel,
    file: { path: join(dataDir, 'logs', 'sluice.log'), maxBytes: LOG_BYTES, keep: LOGS_KEPT },
    now,
  })
  return verbose ? { ...logger, setLevel: () => {} } : logger
}
