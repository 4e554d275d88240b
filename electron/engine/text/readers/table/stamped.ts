import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

/** A time, or `Average:`, before the names of a header and before the values of its rows, as `sar` has them. */
const STAMP = /^((?:\d[\d:./-]*\d(?: [AP]M)?)|\p{L}+:)\s+(?=\S)/u
const NAMES = /^[\p{L}%]\S*(?: [\p{L}%]\S*){2,}$/u
const LONGEST = 400
const LEAST_REPEATS = 2
/** Share of rows. */
const UNEVEN = 0.1

const namesOf = (line: string): string | undefined => {
  if (line.length > LONGEST) return undefined
  const stamp = STAMP.exec(line)
  const names = line
    .slice(stamp?.[0].length ?? 0)
    .trim()
    .replace(/\s+/g, ' ')
  return stamp !== null && NAMES.test(names) ? names : undefined
}

/** Names below different stamps at the beginning of several groups of lines. */
export function stampedHeaders(lines: SourceLines): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line) || (line > 0 && !isBlank(lines, line - 1))) continue
    const names = namesOf(lineOf(lines, line))
    if (names !== undefined) counts.set(names, (counts.get(names) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= LEAST_REPEATS).map(([names]) => names))
}

/** A header with a stamp, and rows of as many words. */
export function readStamped(
  lines: SourceLines,
  first: number,
  end: number,
  headers: ReadonlySet<string>,
): FoundTable | undefined {
  const names = headers.size === 0 ? undefined : namesOf(lineOf(lines, first))
  if (names === undefined || !headers.has(names) || end - first < 2) return undefined
  const width = names.split(' ').length + 1
  const table = new FoundTable('aligned', '  ', first)
  table.end = end
  table.hasHeader = true
  for (let line = first; line < end; line++) {
    const source = lineOf(lines, line)
    const base = lines.starts[line] ?? 0
    const stamp = STAMP.exec(source)
    const label = stamp?.[1]?.length ?? 0
    table.beginRow()
    table.add(base, base + label)
    for (const { 0: word, index } of source.slice(label).matchAll(/\S+/g)) {
      const isLast = table.widthOf(line - first) === width - 1
      const start = base + label + index
      table.add(start, isLast ? base + source.length : start + word.length)
      if (isLast) break
    }
    if (stamp === null || table.widthOf(line - first) < width) table.exceptions++
  }
  table.values.set(0, STAMP_NAME)
  return table.exceptions > (end - first) * UNEVEN ? undefined : table
}

const STAMP_NAME = 'time'
