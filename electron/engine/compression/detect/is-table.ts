import { share, some } from './sample-lines.ts'

const MARKDOWN_ROW = /^\s*\|.*\|\s*$/
const ALIGNED = /\S(?: {2,}|\t)\S+.*(?: {2,}|\t)\S/
const DELIMITERS = [',', ';', '\t', '|'] as const

/** Rows of cells and hardly anything else; with headings between them it is Markdown. */
export function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3 || some(lines, /^#{1,6} \S/)) return false
  if (share(lines, MARKDOWN_ROW) > 0.5 || delimitedShare(lines) > 0.5) return true
  return lines.length > 5 && share(lines, ALIGNED) > 0.5
}

/** Share of lines that have as many cells as the line before them, and more than two. */
function delimitedShare(lines: readonly string[]): number {
  const plain = lines.map((line) => (line.includes('"') ? line.replace(/"[^"]*"/g, '') : line))
  const shares = DELIMITERS.map((delimiter) => {
    const counts = plain.map((line) => line.split(delimiter).length)
    return counts.filter((count, i) => count > 2 && count === counts[i - 1]).length / lines.length
  })
  return Math.max(...shares)
}
