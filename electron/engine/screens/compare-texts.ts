import type { Comparison, OmittedPart } from '../../../shared/api/results.ts'

/** Of longer originals, the beginning. */
const MOST_LINES = 20_000
const EXCERPT_CHARACTERS = 300
const MOST_PARTS = 500
/** Fewer, longer lines are compared by sentences and tags. */
const FEW_LINES = 3
const LONG_LINE = 500

/**
 * A line is found if its words appear in order, ignoring quotes, indentation and commas. One-line JSON is compared
 * indented, other long lines by passages.
 */
export function findOmitted(
  original: string,
  sent: string,
): { parts: OmittedPart[]; lines: number; unit: Comparison['unit'] } {
  const { pieces, unit } = piecesOf(original)
  const there = bare(sent)
  const parts: OmittedPart[] = []
  let count = 0
  let open: string[] = []
  const close = (nextLine: number): void => {
    if (open.length > 0 && parts.length < MOST_PARTS) {
      const excerpt = open.join('\n').slice(0, EXCERPT_CHARACTERS)
      parts.push({ fromLine: nextLine - open.length + 1, toLine: nextLine, lines: open.length, excerpt })
    }
    count += open.length
    open = []
  }
  pieces.forEach((line, index) => {
    const words = bare(line)
    if (words === '' || there.includes(words)) close(index)
    else open.push(line)
  })
  close(pieces.length)
  return { parts, lines: count, unit }
}

function piecesOf(text: string): { pieces: string[]; unit: Comparison['unit'] } {
  const lines = text.split('\n', MOST_LINES)
  if (lines.length > FEW_LINES) return { pieces: lines, unit: 'line' }
  try {
    return {
      pieces: JSON.stringify(JSON.parse(text), undefined, 1).split('\n', MOST_LINES),
      unit: 'indented-line',
    }
  } catch {
    if (lines.every((line) => line.length <= LONG_LINE)) return { pieces: lines, unit: 'line' }
    return { pieces: text.split(/(?<=[.!?;])\s+|(?<=>)\s*(?=<)|\n/, MOST_LINES), unit: 'passage' }
  }
}

/** Punctuation that reformatting changes. */
const bare = (text: string): string =>
  text
    .replaceAll(/[\s"'`,{}[\]|]+/g, ' ')
    .replaceAll(/ ?: ?/g, ':')
    .trim()
