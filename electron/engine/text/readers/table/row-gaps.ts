import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { isUnderline, startsOfUnderline } from './aligned.ts'

/** Groups of lines that are one row each, for the blank lines between them to say nothing. */
const LEAST_GROUPS = 3

/** Takes the blank lines out that a table with an underlined header has between all its rows, because cells have several lines. */
export function takeRowGaps(lines: SourceLines): SourceLines {
  const isGap = new Uint8Array(lines.count)
  let count = 0
  for (let line = 1; line < lines.count; line++) {
    if (isBlank(lines, line - 1) || !isUnderline(lines, line)) continue
    const second = startsOfUnderline(lineOf(lines, line))[1] ?? 0
    const gaps = gapsBelow(lines, line + 1, second)
    for (const gap of gaps) isGap[gap] = 1
    count += gaps.length
    line = gaps.at(-1) ?? line
  }
  if (count === 0) return lines
  const without = (places: Int32Array): Int32Array => places.filter((_, line) => isGap[line] === 0)
  const { text, size, starts, stops } = lines
  return { text, size, count: lines.count - count, starts: without(starts), stops: without(stops) }
}

/** Blank lines before a line that fills the first column, where none but the first lines of groups do. */
function gapsBelow(lines: SourceLines, first: number, second: number): number[] {
  const gaps: number[] = []
  let groups = 0
  for (let line = first; line < lines.count; groups++) {
    let end = line
    while (end < lines.count && !isBlank(lines, end)) end++
    const [row = '', ...below] = Array.from({ length: end - line }, (_, i) => lineOf(lines, line + i))
    const isRow = row.slice(0, second).trim() !== '' && row.charAt(second - 1) === ' '
    if (!isRow || below.some((each) => each.slice(0, second).trim() !== '')) break
    if (line > first) gaps.push(line - 1)
    line = end + 1
  }
  return groups < LEAST_GROUPS ? [] : gaps
}
