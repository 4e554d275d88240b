import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'

/** Characters. */
const LONGEST_HEAD = 200
const LEAST_HEADS = 2
/** Heads above rows that no gap divides. */
const LEAST_OF_GROUPS = 3
const GAP = /[^\s|│](?: {2,}|\t+ *)\S/
/** Share of heads that have one form: titles of different tables have many. */
const ALIKE = 0.8
/** Share of the lines below heads that are rows. */
const ROWS = 0.6
/** Lines between a head and its first row. */
const MOST_BETWEEN = 3
const RULE = /^[-=+|_*~\s]+$/

/** Lines that say whose the rows below them are, as files above their findings: such rows are of the nearest head. */
export function findHeads(lines: SourceLines): ReadonlySet<number> {
  const gaps = new Uint8Array(lines.count)
  for (let line = 0; line < lines.count; line++)
    gaps[line] = Number(GAP.test(lineOf(lines, line).slice(0, LONGEST_HEAD)))
  return new Set(shallowHeads(lines, gaps) ?? likeHeads(lines, gaps))
}

/** Lines without a gap that all rows of their group are indented from. */
function shallowHeads(lines: SourceLines, gaps: Uint8Array): readonly number[] | undefined {
  const heads: number[] = []
  for (let first = 0, end = 0; first < lines.count; first = end + 1) {
    end = first
    while (end < lines.count && !isBlank(lines, end)) end++
    heads.push(...shallowIn(lines, gaps, first, end))
  }
  const forms = Map.groupBy(heads, (line) => formOf(lineOf(lines, line)))
  const most = Math.max(0, ...Array.from(forms.values(), ({ length }) => length))
  return heads.length < LEAST_HEADS || most < ALIKE * heads.length ? undefined : heads
}

function shallowIn(lines: SourceLines, gaps: Uint8Array, first: number, end: number): number[] {
  let least = Infinity
  for (let line = first; line < end; line++) least = Math.min(least, depthOf(lines, line))
  const found: number[] = []
  let rows = 0
  for (let line = first; line < end; line++) {
    if (depthOf(lines, line) > least) rows += gaps[line] ?? 0
    else if (
      gaps[line] === 1 ||
      line + 1 === end ||
      depthOf(lines, line + 1) <= least ||
      !isHead(lines, line)
    )
      return []
    else found.push(line)
  }
  return found[0] === first && rows >= ROWS * (end - first - found.length) ? found : []
}

/** Lines without a gap that begin with one word, which no row begins with. */
function likeHeads(lines: SourceLines, gaps: Uint8Array): readonly number[] | undefined {
  const forms = new Map<string, number[]>()
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line)) continue
    const form = formOf(lineOf(lines, line))
    const known = forms.get(form)
    if (known === undefined) forms.set(form, [line])
    else known.push(line)
  }
  const isOver = (line: number): boolean => line + 1 < lines.count && !isBlank(lines, line + 1)
  for (const all of forms.values()) {
    // A last one says how all ended.
    const found = isOver(all.at(-1) ?? 0) ? all : all.slice(0, -1)
    if (areHeads(lines, gaps, found)) return found
  }
  return undefined
}

function areHeads(lines: SourceLines, gaps: Uint8Array, found: readonly number[]): boolean {
  if (found.length < LEAST_HEADS || found.some((line) => gaps[line] === 1 || !isHead(lines, line)))
    return false
  const isFirst = (line: number): boolean => line === 0 || isBlank(lines, line - 1)
  // Below rows, a line is of the row above it.
  if (!isFirst(found[0] ?? 0)) return false
  let rows = 0
  let below = 0
  let others = 0
  for (const [i, head] of found.entries()) {
    const end = found[i + 1] ?? lines.count
    let line = head + 1
    for (; line < end && !isBlank(lines, line); line++) {
      below++
      if (gaps[line] === 1) rows++
      else if (rows === 0) others++
    }
    if (line === head + 1) return false
  }
  if (rows >= ROWS * below && others <= MOST_BETWEEN * found.length) return true
  const isLevel = found.every((line) => isFirst(line) && depthOf(lines, line + 1) <= depthOf(lines, line))
  return isLevel && found.length >= LEAST_OF_GROUPS && found.length >= ROWS * groupsOf(lines)
}

const depthOf = (lines: SourceLines, line: number): number => lineOf(lines, line).search(/\S/)

function groupsOf(lines: SourceLines): number {
  let groups = 0
  for (let line = 0; line < lines.count; line++)
    if (!isBlank(lines, line) && (line === 0 || isBlank(lines, line - 1))) groups++
  return groups
}

/** Its first word; paths and other words alone are one, and so are brackets. */
function formOf(source: string): string {
  const words = source.trim().split(/\s+/, 2)
  const [first = ''] = words
  return first.startsWith('[') ? '[' : words.length === 1 ? '' : first.replace(/\d+/g, '0')
}

function isHead(lines: SourceLines, line: number): boolean {
  const source = lineOf(lines, line)
  return source.length <= LONGEST_HEAD && !RULE.test(source) && /[\p{L}\p{N}]/u.test(source)
}
