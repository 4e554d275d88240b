import type { Logger } from '../ground/logger.ts'
import { messageOf } from '../ground/errors.ts'
import type { CallRow } from './call-row.ts'

/**
 * One transaction for many rows costs little more than for one, triggers fewer SQLite checkpoints, and delays no call
 * when it comes in a pause between calls.
 */
const PAUSE_MS = 25
const LONGEST_MS = 250
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
  let since = 0
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
      if (waiting.length === 1) since = performance.now()
      if (waiting.length >= MOST_ROWS || performance.now() - since > LONGEST_MS) flush()
      else if (timer) timer.refresh()
      else timer = setTimeout(flush, PAUSE_MS)
    },
    flush,
  }
}
