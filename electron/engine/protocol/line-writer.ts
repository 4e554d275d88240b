import type { Writable } from 'node:stream'

export interface LineWriter {
  /** Undefined unless the output is full; rejects if it closes before it has drained. */
  readonly write: (line: string) => Promise<void> | undefined
  /** At once, before something else is written. */
  readonly flush: () => void
}

/**
 * Joins the lines of one turn: each write is a system call and may wake the reader. They leave when the turn's promises
 * have settled, so no line waits for another turn.
 */
export function createLineWriter(output: Writable, drained: () => Promise<void>): LineWriter {
  let waiting = ''
  const flush = (): void => {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    if (output.writable) output.write(text)
  }
  return {
    write: (line) => {
      if (waiting === '') process.nextTick(flush)
      waiting += line
      waiting += '\n'
      if (output.writableLength + waiting.length >= output.writableHighWaterMark) flush()
      return output.writableNeedDrain ? drained() : undefined
    },
    flush,
  }
}
