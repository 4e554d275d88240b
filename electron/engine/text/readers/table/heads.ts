import { isBlank, lineOf, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'

/** Characters. */
const LONGEST_HEAD = 200
const LEAST_HEADS = 2
/** Heads above rows that no gap divides. */
const LEAST_OF_GROUPS = 3
/** Share of heads that have one form: titles of different tables have many. */
const ALIKE = 0.8
/** Share of the lines below heads that are rows. */
const ROWS = 0.6
/** Lines between a head and its first row. */
const MOST_BETWEEN = 3
const RULE = /^[-=+|_*~\s]+$/

/** Of each line. */
interface Shapes {
  /** Characters it is indented; -1 for a blank one. */
  readonly depths: Int32Array
  /** 1 where two words have two blanks or a tab between them. */
  readonly gaps: Uint8Array
}

/** Lines that say whose the rows below them are, as files above their findings: such rows are of the nearest head. */
export function findHeads(lines: SourceLines): ReadonlySet<number> {
  const depths = new Int32Array(lines.count)
  const gaps = new Uint8Array(lines.count)
  for (let line = 0; line < lines.count; line++) {
    const start = lines.starts[line] ?? 0
    const stop = lines.stops[line] ?? 0
    depths[line] = start >= stop ? -1 : trimStart(lines.text, start, stop) - start
    gaps[line] = Number(hasGap(lines.text, start, Math.min(stop, start + LONGEST_HEAD)))
  }
  const shapes = { depths, gaps }
  return new Set(shallowHeads(lines, shapes) ?? likeHeads(lines, shapes))
}

const TAB = 9
const SPACE = 32
const BAR = 0x7c
const DRAWN_BAR = 0x2502
const LAST_ASCII_BLANK = 32

/** Words, not bars, with two blanks, or tabs and then blanks, between them. */
function hasGap(text: string, start: number, stop: number): boolean {
  let isWord = false
  for (let at = start; at < stop; at++) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== TAB) {
      isWord = code > LAST_ASCII_BLANK && code !== BAR && code !== DRAWN_BAR
      continue
    }
    const first = at
    while (at < stop && text.charCodeAt(at) === TAB) at++
    const hasTab = at > first
    while (at < stop && text.charCodeAt(at) === SPACE) at++
    const isInk = at < stop && text.charCodeAt(at) > LAST_ASCII_BLANK
    if (isWord && isInk && (hasTab || at - first > 1)) return true
    isWord = false
    at--
  }
  return false
}

/** Lines without a gap that all rows of their group are indented from. */
function shallowHeads(lines: SourceLines, shapes: Shapes): readonly number[] | undefined {
  const heads: number[] = []
  for (let first = 0, end = 0; first < lines.count; first = end + 1) {
    end = first
    while (end < lines.count && !isBlank(lines, end)) end++
    heads.push(...shallowIn(lines, shapes, first, end))
  }
  const forms = Map.groupBy(heads, (line) => formOf(lineOf(lines, line)))
  const most = Math.max(0, ...Array.from(forms.values(), ({ length }) => length))
  return heads.length < LEAST_HEADS || most < ALIKE * heads.length ? undefined : heads
}

function shallowIn(lines: SourceLines, { depths, gaps }: Shapes, first: number, end: number): number[] {
  const depthAt = (line: number): number => depths[line] ?? -1
  let least = Infinity
  for (let line = first; line < end; line++) least = Math.min(least, depthAt(line))
  const found: number[] = []
  let rows = 0
  for (let line = first; line < end; line++) {
    if (depthAt(line) > least) rows += gaps[line] ?? 0
    else if (gaps[line] === 1 || line + 1 === end || depthAt(line + 1) <= least || !isHead(lines, line))
      return []
    else found.push(line)
  }
  return found[0] === first && rows >= ROWS * (end - first - found.length) ? found : []
}

/** Lines without a gap that begin with one word, which no row begins with. */
function likeHeads(lines: SourceLines, shapes: Shapes): readonly number[] | undefined {
  const isOver = (line: number): boolean => line + 1 < lines.count && !isBlank(lines, line + 1)
  for (const all of linesByForm(lines, shapes)) {
    // A last one says how all ended.
    const found = isOver(all.at(-1) ?? 0) ? all : all.slice(0, -1)
    if (areHeads(lines, shapes, found)) return found
  }
  return undefined
}

/** Lines of the forms that groups begin with, as the first of heads does. */
function linesByForm(lines: SourceLines, { depths, gaps }: Shapes): Iterable<number[]> {
  const forms = new Map<string, number[]>()
  const begins = new Set<string>()
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line) || (line > 0 && !isBlank(lines, line - 1))) continue
    if (gaps[line] === 0 && isHead(lines, line)) begins.add(formOf(lineOf(lines, line)))
  }
  const signs = new Set(Array.from(begins, (form) => signOf(form.charCodeAt(0))))
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line)) continue
    const first = lines.text.charCodeAt((lines.starts[line] ?? 0) + (depths[line] ?? 0))
    if (!begins.has('') && !signs.has(signOf(first))) continue
    const form = formOf(lineOf(lines, line))
    const known = forms.get(form)
    if (known !== undefined) known.push(line)
    else if (begins.has(form)) forms.set(form, [line])
  }
  return forms.values()
}

/** What a form begins with: all digits are one. */
const signOf = (code: number): number => (code >= 0x30 && code <= 0x39 ? 0x30 : code)

function areHeads(lines: SourceLines, { depths, gaps }: Shapes, found: readonly number[]): boolean {
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
  const isLevel = found.every((line) => isFirst(line) && (depths[line + 1] ?? -1) <= (depths[line] ?? -1))
  return isLevel && found.length >= LEAST_OF_GROUPS && found.length >= ROWS * groupsOf(lines)
}

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
