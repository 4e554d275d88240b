import type { RootLogger } from './logger.ts'

const MOST_LINES = 2_000
const MOST_CHARACTERS = 1_000_000

export interface RecentLines {
  /** JSON lines, oldest first. */
  text(): string
}

/** Copies, because a slice would keep all of a server's output in memory. */
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
