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

/** By line: the nearest one above that is indented less; -1 for none. */
export function readParents(lines: TextLines, bodyStart: Uint32Array): Int32Array {
  const parents = new Int32Array(lines.count).fill(-1)
  const open: { readonly line: number; readonly indent: number }[] = []
  for (let line = 0; line < lines.count; line++) {
    const indent = indentAt(lines.text, bodyStart[line] ?? lines.start(line), lines.end(line))
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    parents[line] = open.at(-1)?.line ?? -1
    open.push({ line, indent })
  }
  return parents
}

/** A tab counts as one. */
function indentAt(text: string, from: number, to: number): number {
  let i = from
  while (i < to && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i++
  return i - from
}
