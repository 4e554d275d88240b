const MAX_LINES = 150
const MAX_LAST_LINES = 30
/** Cut before matching, to keep patterns cheap. */
const MAX_LINE = 300

/**
 * Non-empty lines from the start of a text and, if these don't reach it, the end (reports sum up there); examines
 * `characters` from the start, `tail` from the end.
 */
export function sampleLines(text: string, characters: number, tail: number): string[] {
  const { lines, end } = filled(text.slice(0, characters), MAX_LINES)
  const from = Math.max(end, text.length - tail)
  if (from < text.length) {
    const rest = text.slice(from)
    const whole = from === end ? rest : rest.slice(rest.indexOf('\n') + 1)
    lines.push(...filled(whole, whole.length).lines.slice(-MAX_LAST_LINES))
  }
  return lines
}

function filled(text: string, most: number): { readonly lines: string[]; readonly end: number } {
  const lines: string[] = []
  let start = 0
  while (start < text.length && lines.length < most) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const line = text.slice(start, Math.min(stop, start + MAX_LINE)).trimEnd()
    if (line.trim() !== '') lines.push(line)
    start = stop + 1
  }
  return { lines, end: Math.min(start, text.length) }
}

export const share = (lines: readonly string[], pattern: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length

/** Stops once certain. */
export function isShareAbove(
  lines: readonly string[],
  bound: number,
  test: (line: string) => boolean,
): boolean {
  let hits = 0
  let left = lines.length
  for (const line of lines) {
    left--
    if (test(line)) hits++
    else if ((hits + left) / lines.length <= bound) return false
  }
  return lines.length > 0 && hits / lines.length > bound
}

export const some = (lines: readonly string[], pattern: RegExp): boolean =>
  lines.some((line) => pattern.test(line))
