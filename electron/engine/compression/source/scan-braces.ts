/** Depth of curly braces at each line start, ignoring strings and comments. */
export function braceDepths(text: string, lineStarts: readonly number[]): Int32Array {
  const depths = new Int32Array(lineStarts.length + 1)
  let depth = 0
  let line = 0
  let i = 0
  let plainUntil = 0
  let next = lineStarts[0] ?? text.length
  while (i < text.length) {
    while (next <= i) {
      depths[line++] = depth
      next = lineStarts[line] ?? Number.POSITIVE_INFINITY
    }
    const code = text.charCodeAt(i)
    // Skips letters, most of a source.
    if (code !== 96 && code > 47 && code < 123) {
      i++
      continue
    }
    if (code === 123) depth++
    else if (code === 125) depth = Math.max(0, depth - 1)
    else if ((code === 34 || code === 39 || code === 96) && i >= plainUntil) {
      const end = endOfQuoted(text, i, code)
      if (end.closed) i = end.at
      else {
        // Searching for each quote's end again would be quadratic.
        if (code !== 39) plainUntil = end.at
        i++
      }
      continue
    } else if (code === 47 && text.charCodeAt(i + 1) === 47) {
      i = endOf(text, '\n', i)
      continue
    } else if (code === 47 && text.charCodeAt(i + 1) === 42) {
      i = endOf(text, '*/', i + 2)
      continue
    }
    i++
  }
  depths.fill(depth, line)
  return depths
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + (mark === '\n' ? 0 : mark.length)
}

const LONGEST_SINGLE_QUOTED = 240
const LONGEST_TEMPLATE = 20_000

/** End of a quoted string; a quote not closed on its line (apostrophe, Rust lifetime) is one character, and single ones are searched briefly. */
function endOfQuoted(text: string, start: number, quote: number): { closed: boolean; at: number } {
  const limit = Math.min(
    text.length,
    start +
      (quote === 34 ? Number.POSITIVE_INFINITY : quote === 96 ? LONGEST_TEMPLATE : LONGEST_SINGLE_QUOTED),
  )
  let i = start + 1
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === quote) return { closed: true, at: i + 1 }
    else if (code === 10 && quote !== 96) break
  }
  return { closed: false, at: i }
}
