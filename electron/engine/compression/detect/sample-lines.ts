const MAX_LINES = 150
const MAX_LAST_LINES = 30
/** Longer lines are cut before any pattern sees them, so that patterns stay cheap. */
const MAX_LINE = 300

/** Lines of the beginning and the end of a text (reports sum up at the end), without empty ones. */
export function sampleLines(head: string, tail: string): string[] {
  const lines = filled(head, MAX_LINES)
  if (tail !== '')
    lines.push(...filled(tail.slice(tail.indexOf('\n') + 1), tail.length).slice(-MAX_LAST_LINES))
  return lines
}

function filled(text: string, most: number): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length && lines.length < most;) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const line = text.slice(start, Math.min(stop, start + MAX_LINE)).trimEnd()
    if (line.trim() !== '') lines.push(line)
    start = stop + 1
  }
  return lines
}

export const share = (lines: readonly string[], pattern: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length

export const some = (lines: readonly string[], pattern: RegExp): boolean =>
  lines.some((line) => pattern.test(line))
