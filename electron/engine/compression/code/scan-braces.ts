/** Depth of curly braces at the start of each line, strings and comments left out; one number a line. */
export function braceDepths(text: string, lineStarts: readonly number[]): Int32Array {
  const depths = new Int32Array(lineStarts.length + 1)
  let depth = 0
  let line = 0
  let i = 0
  const reachLine = (offset: number) => {
    while (line < lineStarts.length && (lineStarts[line] ?? 0) <= offset) depths[line++] = depth
  }
  while (i < text.length) {
    reachLine(i)
    const code = text.charCodeAt(i)
    if (code === 123) depth++
    else if (code === 125) depth = Math.max(0, depth - 1)
    else if (code === 34 || code === 39 || code === 96) {
      i = skipQuoted(text, i, code)
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
  reachLine(text.length)
  depths.fill(depth, line)
  return depths
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + (mark === '\n' ? 0 : mark.length)
}

/** Offset after a quoted string; a quote that its line does not close (an apostrophe, a Rust lifetime) is one character. */
function skipQuoted(text: string, start: number, quote: number): number {
  const limit = quote === 96 ? Math.min(text.length, start + 20_000) : text.length
  for (let i = start + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === quote) return i + 1
    else if (code === 10 && quote !== 96) break
  }
  return start + 1
}
