import type { Logger } from '../ground/logger.ts'
import { messageOf } from '../ground/errors.ts'
import type { CallRow } from './call-row.ts'

/** One transaction for many rows costs little more than for one, and triggers fewer SQLite checkpoints. */
const COLLECT_MS = 25
const MOST_ROWS = 500

export interface CallBatch {
  add(row: CallRow): void
  /** At the engine's end. */
  flush(): void
}

/** Of calls that end shortly after one another. A failed batch is logged and dropped. */
export function batchCalls(options: {
  write: (rows: readonly CallRow[]) => Promise<void>
  onLost?: (rows: readonly CallRow[]) => void
  logger: Logger
}): CallBatch {
  let waiting: CallRow[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    if (rows.length === 0) return
    options.write(rows).catch((error: unknown) => {
      options.logger.error(
        'Calls could not be written to the ledger; the calls themselves are not affected.',
        {
          calls: rows.length,
          cause: messageOf(error),
        },
      )
      options.onLost?.(rows)
    })
  }
  return {
    add: (row) => {
      waiting.push(row)
      if (waiting.length >= MOST_ROWS) flush()
      else timer ??= setTimeout(flush, COLLECT_MS)
    },
    flush,
  }
}
