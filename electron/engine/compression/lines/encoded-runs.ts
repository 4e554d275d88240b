import { isEncodedLine } from '../../text/words/encoded-text.ts'
import type { ReadKinds } from './read-kinds.ts'

/** A fingerprint stands alone. */
const LEAST_LINES = 3

/** Lines of a file's or key's bytes, which say nothing to a reader. */
export function encodedRuns(read: ReadKinds): ReadonlySet<number> {
  const { lines } = read
  const found = new Set<number>()
  let from = 0
  for (let line = 0; line <= lines.count; line++) {
    if (line < lines.count && isEncodedLine(lines.text.slice(read.bodyStart(line), lines.end(line)))) continue
    // The last line is as long as what is left.
    const end =
      line < lines.count && isRest(lines.text.slice(read.bodyStart(line), lines.end(line))) ? line + 1 : line
    if (line - from >= LEAST_LINES) for (let each = from; each < end; each++) found.add(each)
    from = line + 1
  }
  return found
}

const isRest = (line: string): boolean =>
  /^\s*(?:(?:[\da-f]{2}:)*[\da-f]{2}|[A-Za-z\d+/]+={0,2})\s*$/i.test(line)
