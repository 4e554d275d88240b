import type { TextLines } from './text-lines.ts'

/** By line: the one that it continues (one indented less, one with a time where it has none), itself where it begins something. */
export function readBlocks(
  lines: TextLines,
  bodyStart: Uint32Array,
  group: Int16Array,
  isTimed: boolean,
): Int32Array {
  const { text, count } = lines
  const heads = new Int32Array(count)
  let head = -1
  let headIndent = 0
  for (let line = 0; line < count; line++) {
    const from = bodyStart[line] ?? lines.start(line)
    const indent = indentAt(text, from, lines.end(line))
    const isOutside = isTimed && group[line] === -1 && text.charCodeAt(from) !== 123
    const continues =
      head >= 0 &&
      ((isOutside && !(lines.opensParagraph(line) && indent === 0)) ||
        (indent > headIndent && !(lines.opensParagraph(line) && indent - headIndent < 2)))
    if (!continues) {
      head = line
      headIndent = indent
    }
    heads[line] = head
  }
  return heads
}

export interface Nesting {
  /** By line: the nearest one above that is indented less; -1 for none. */
  readonly parents: Int32Array
  /** By line: where it begins. */
  readonly columns: Uint32Array
}

/** A path that is repeated in a line below it isn't needed as its heading. */
const PATH = /^\s*\S+[/\\.]\S+$/

/** `startOf`: undefined for lines that are below nothing. Numbers that end below numbers are one column, and bars below bars behind them. */
export function readParents(lines: TextLines, startOf: (line: number) => number | undefined): Nesting {
  const { text, count } = lines
  const names = (line: number, above: number): boolean => {
    const length = lines.end(above) - lines.start(above)
    if (length >= lines.end(line) - lines.start(line)) return false
    const heading = lines.read(above)
    return PATH.test(heading) && lines.read(line).includes(heading.trim())
  }
  const parents = new Int32Array(count).fill(-1)
  const columns = new Uint32Array(count)
  const open: { readonly line: number; readonly indent: number; readonly numberEnd: number }[] = []
  for (let line = 0; line < count; line++) {
    const from = startOf(line)
    if (from === undefined) {
      open.length = 0
      open.push({ line, indent: 0, numberEnd: -1 })
      continue
    }
    const own = indentAt(text, from, lines.end(line))
    const numberEnd = endOfNumber(text, from + own, lines.end(line)) - from
    let indent = own
    while (open.length > 0) {
      const { indent: last, numberEnd: lastEnd } = open.at(-1)!
      if (numberEnd > own && numberEnd === lastEnd) indent = Math.min(indent, last)
      if (last < indent) break
      open.pop()
    }
    const above = open.at(-1)?.line ?? -1
    parents[line] = above >= 0 && names(line, above) ? -1 : above
    columns[line] = indent
    open.push({ line, indent, numberEnd })
  }
  return { parents, columns }
}

/** Behind a number that begins here, and behind a bar that it may be before, as numbers of quoted lines are; else where it begins. */
function endOfNumber(text: string, from: number, to: number): number {
  let i = from
  while (i < to && isOfNumber(text.charCodeAt(i))) i++
  let bar = i
  while (bar < to && text.charCodeAt(bar) === 32) bar++
  if (bar < to && isBar(text.charCodeAt(bar))) return bar + 1
  return i === to || text.charCodeAt(i) === 32 ? i : from
}

const isBar = (code: number): boolean => code === 124 || code === 0x2502

/** Digits and what groups or divides them, and a percent sign. */
const isOfNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 44 && code <= 46) || code === 58 || code === 37

/** A tab counts as one. */
function indentAt(text: string, from: number, to: number): number {
  let i = from
  while (i < to && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i++
  return i - from
}
