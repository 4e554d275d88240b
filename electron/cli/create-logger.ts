import { join } from 'node:path'
import { createLogger } from '../engine/logger.ts'
import type { LogLevel, RootLogger } from '../engine/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'

const LOG_BYTES = 5_000_000
const LOGS_KEPT = 3

/** The log of a process that runs an engine: everything in the data folder, on stderr what `stderrLevel` lets pass. */
export const createEngineLogger = (
  { stderr, now }: CliContext,
  { dataDir, verbose }: CommonOptions,
  level: LogLevel,
): RootLogger =>
  createLogger({
    level: verbose ? 'debug' : level,
    stderr,
    file: { path: join(dataDir, 'logs', 'sluice.log'), maxBytes: LOG_BYTES, keep: LOGS_KEPT },
    now,
  })
