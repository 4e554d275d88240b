import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

/** A time, or `Average:`, before the names of a header and before the values of its rows, as `sar` has them. */
const STAMP = /^((?:\d[\d:./-]*\d(?: [AP]M)?)|\p{L}[\p{L}-]*:)\s+(?=\S)/u
const NAMES = /^[\p{L}%]\S*(?: [\p{L}%]\S*){2,}$/u
const LONGEST = 400
const LEAST_REPEATS = 2
/** Of a header with a stamp, and without one. */
const LEAST_NAMES = 3
const LEAST_ALONE = 6
/** Share of rows. */
const UNEVEN = 0.1

interface Header {
  readonly names: string
  /** The stamp or label before the names; '' for names alone. */
  readonly label: string
}

function headerOf(line: string): Header | undefined {
  if (line.length > LONGEST) return undefined
  const stamp = STAMP.exec(line)
  const label = stamp?.[1] ?? ''
  const names = line.slice(label.length).trim().replace(/\s+/g, ' ')
  const least = label === '' ? LEAST_ALONE : LEAST_NAMES
  return NAMES.test(names) && names.split(' ').length >= least ? { names, label } : undefined
}

/** By names at the beginning of several groups of lines: the label before all of them, undefined where it differs as times do. */
export type StampedHeaders = ReadonlyMap<string, string | undefined>

/** Headers that begin several groups of lines. */
export function stampedHeaders(lines: SourceLines): StampedHeaders {
  const found = new Map<string, { count: number; label: string | undefined }>()
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line) || (line > 0 && !isBlank(lines, line - 1))) continue
    const header = headerOf(lineOf(lines, line))
    if (header === undefined) continue
    const known = found.get(header.names)
    if (known === undefined) found.set(header.names, { count: 1, label: header.label })
    else {
      known.count++
      if (known.label !== header.label) known.label = undefined
    }
  }
  const repeated = [...found].filter(([, { count }]) => count >= LEAST_REPEATS)
  return new Map(repeated.map(([names, { label }]) => [names, label]))
}

/** A header with a stamp, or one that comes again and again, and rows of as many words. */
export function readStamped(
  lines: SourceLines,
  first: number,
  end: number,
  headers: StampedHeaders,
): FoundTable | undefined {
  const header = headers.size === 0 ? undefined : headerOf(lineOf(lines, first))
  if (header === undefined || !headers.has(header.names) || end - first < 2) return undefined
  const isStamped = header.label !== ''
  const width = header.names.split(' ').length + (isStamped ? 1 : 0)
  const table = new FoundTable('aligned', '  ', first)
  table.end = end
  table.hasHeader = true
  for (let line = first; line < end; line++) {
    const source = lineOf(lines, line)
    const base = lines.starts[line] ?? 0
    const label = isStamped ? (STAMP.exec(source)?.[1]?.length ?? 0) : 0
    table.beginRow()
    if (isStamped) table.add(base, base + label)
    for (const { 0: word, index } of source.slice(label).matchAll(/\S+/g)) {
      const isLast = table.widthOf(line - first) === width - 1
      const start = base + label + index
      table.add(start, isLast ? base + source.length : start + word.length)
      if (isLast) break
    }
    const isShort = table.widthOf(line - first) < width
    // A label is above a gap in the rows, a time is not.
    const isBare = isStamped && label === 0 && headers.get(header.names) === undefined
    if (isShort || isBare || (line > first && !/\d/.test(source))) table.exceptions++
  }
  if (isStamped && headers.get(header.names) === undefined) table.values.set(0, STAMP_NAME)
  return table.exceptions > (end - first) * UNEVEN ? undefined : table
}

const STAMP_NAME = 'time'
