import { isShareAbove, some } from './sample-lines.ts'

const MARKDOWN_ROW = /^\s*\|.*\|\s*$/
const ALIGNED = /\S(?: {2,}|\t)\S+.*(?: {2,}|\t)\S/
const DELIMITERS = [',', ';', '\t', '|'] as const

/** Rows of cells and hardly anything else; with headings between them it is Markdown. */
export function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3 || some(lines, /^#{1,6} \S/)) return false
  if (isShareAbove(lines, 0.5, (line) => MARKDOWN_ROW.test(line)) || delimitedShare(lines) > 0.5) return true
  return (
    lines.length > 5 &&
    isShareAbove(lines, 0.5, (line) => (line.includes('  ') || line.includes('\t')) && ALIGNED.test(line))
  )
}

/** Share of lines that have as many cells as the line before them, and more than two. */
function delimitedShare(lines: readonly string[]): number {
  const plain = lines.map((line) => (line.includes('"') ? line.replace(/"[^"]*"/g, '') : line))
  const shares = DELIMITERS.map((delimiter) => {
    let regular = 0
    let before = 0
    for (const line of plain) {
      const count = timesIn(line, delimiter)
      if (count > 1 && count === before) regular++
      before = count
    }
    return regular / lines.length
  })
  return Math.max(...shares)
}

function timesIn(line: string, delimiter: string): number {
  let times = 0
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) times++
  return times
}
