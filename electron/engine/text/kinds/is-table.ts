import { isShareAbove, some } from './sample-lines.ts'

const MARKDOWN_ROW = /^\s*\|.*\|\s*$/
const ALIGNED = /\S(?: {2,}|\t)\S+.*(?: {2,}|\t)\S/
const DELIMITERS = [',', ';', '\t', '|'].map((delimiter) => delimiter.charCodeAt(0))

/** With headings between rows it is Markdown. */
export function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3 || some(lines, /^#{1,6} \S/)) return false
  if (isShareAbove(lines, 0.5, (line) => MARKDOWN_ROW.test(line)) || delimitedShare(lines) > 0.5) return true
  return (
    lines.length > 5 &&
    isShareAbove(lines, 0.5, (line) => (line.includes('  ') || line.includes('\t')) && ALIGNED.test(line))
  )
}

/** Largest share, over delimiters, of lines with as many cells as the previous line, and more than two. */
function delimitedShare(lines: readonly string[]): number {
  const before = new Int32Array(DELIMITERS.length)
  const now = new Int32Array(DELIMITERS.length)
  const regular = new Int32Array(DELIMITERS.length)
  for (const line of lines) {
    countDelimiters(line, now)
    for (let d = 0; d < now.length; d++) {
      const count = now[d] ?? 0
      if (count > 1 && count === before[d]) regular[d]!++
      before[d] = count
    }
  }
  return Math.max(...regular) / lines.length
}

/** Outside quotes; an unpaired quote is ignored. */
function countDelimiters(line: string, counts: Int32Array): void {
  counts.fill(0)
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (!MAY_PART[code]) continue
    if (code === QUOTE) {
      const end = line.indexOf('"', i + 1)
      if (end > 0) i = end
    } else counts[DELIMITERS.indexOf(code)]!++
  }
}

const QUOTE = 34
const MAY_PART = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(code === QUOTE || DELIMITERS.includes(code)),
)
