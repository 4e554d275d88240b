import type { RootLogger } from './logger.ts'

const MOST_LINES = 2_000
const MOST_CHARACTERS = 1_000_000

/** What a process logged last, for a log that goes to no file. */
export interface RecentLines {
  /** As the file would have it: one JSON object a line, the oldest first. */
  text(): string
}

/**
 * Keeps the last lines of a log as texts of their own. A line that a server wrote is a slice of all that came with it,
 * which would stay in memory for as long as the line does.
 */
export function keepRecentLines(
  logger: Pick<RootLogger, 'onLine'>,
  { mostLines = MOST_LINES, mostCharacters = MOST_CHARACTERS } = {},
): RecentLines {
  const lines: string[] = []
  let characters = 0
  logger.onLine(({ at, level, message, fields }) => {
    const line = JSON.stringify({ at, level, message, ...fields })
    lines.push(line)
    characters += line.length
    while (lines.length > 1 && (lines.length > mostLines || characters > mostCharacters))
      characters -= lines.shift()?.length ?? 0
  })
  return { text: () => lines.join('\n') }
}
