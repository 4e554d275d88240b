import type { RootLogger, WrittenLine } from './logger.ts'

const KEPT_LINES = 2_000

/** The last lines that this process logged, the oldest first: for a log that goes to no file. */
export function keepRecentLines(logger: Pick<RootLogger, 'onLine'>): readonly WrittenLine[] {
  const lines: WrittenLine[] = []
  logger.onLine((line) => {
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.shift()
  })
  return lines
}
