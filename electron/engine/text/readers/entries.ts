import { NODE } from '../tree/json-document.ts'
import { beginsEntry, openerOf, type Opener } from './entries/openers.ts'
import type { Reader, Reading } from './reading.ts'
import { isBlank, lineOf, sourceLines, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { kindOfPlain, TreeBuilder } from './tree-builder.ts'

/** `Key: number` or `key=number` in a line of an entry. */
const PAIR = /(?<=^|\s)([A-Za-z_][\w.@-]*)(?:: |=)(-?\d[\d.,]*[a-zA-Z%]{0,3})(?=\s|$)/g
const LONGEST = 1000
/** Keys of what has no name, and of the time that an entry begins with. */
const LINE = ''
const TIME = 'time'

/** Entries of several lines, each of which begins with a line of one form: slow queries, threads. */
export const entriesReader: Reader = {
  format: 'entries',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    const opener = openerOf(lines)
    return opener === undefined ? undefined : readEntries(lines, opener)
  },
}

function readEntries(lines: SourceLines, opener: Opener): Reading {
  const tree = new TreeBuilder(lines.text)
  /** By leaf: the line that it is printed with. */
  const lineOfLeaf = new Map<number, number>()
  /** By entry: its first line. */
  const opened = new Map<number, number>()
  let isApart = false
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line)) continue
    const begins = beginsEntry(lines, line, opener)
    const start = trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0)
    // A paragraph that no name begins is of no name above.
    const isOther =
      opener.isApart && opened.size > 0 && isBlank(lines, line - 1) && start === lines.starts[line]
    if (begins || isOther) {
      if (tree.container !== 0) tree.end(start)
      opened.set(tree.begin(NODE.object, -1, start), line)
      isApart ||= line > 0 && isBlank(lines, line - 1) && opener.isApart
    }
    addLine(tree, lines, line, begins ? opener : undefined, lineOfLeaf)
  }
  const document = tree.finish()
  return {
    format: 'entries',
    document,
    explained: 1,
    print: (chosen, textOf) => {
      const out: string[] = []
      let printed = -1
      let entry = 0
      for (const leaf of chosen) {
        const line = lineOfLeaf.get(leaf) ?? 0
        const parent = document.parents[leaf] ?? 0
        const first = opened.get(parent) ?? line
        if (parent !== entry) {
          if (isApart && out.length > 0) out.push('')
          if (first !== line) out.push(lineOf(lines, first))
        }
        entry = parent
        if (line !== printed) out.push(shownLine(lines, line, leaf, document.starts[leaf] ?? 0, textOf))
        printed = line
      }
      return out.join('\n')
    },
  }
}

/** A line of pairs is whole; a value that is a whole line may be cut. */
function shownLine(
  lines: SourceLines,
  line: number,
  leaf: number,
  start: number,
  textOf: (node: number) => string,
): string {
  const base = lines.starts[line] ?? 0
  const content = trimStart(lines.text, base, lines.stops[line] ?? 0)
  return start === content
    ? lines.text.slice(base, content) + restOf(lines, line, textOf(leaf))
    : lineOf(lines, line)
}

function restOf(lines: SourceLines, line: number, shown: string): string {
  const content = lineOf(lines, line).trimStart()
  return content.startsWith(shown) && shown.length < content.length && content.length < LONGEST
    ? content
    : shown
}

/** The time of an entry, the pairs of a line, or the whole line. */
function addLine(
  tree: TreeBuilder,
  lines: SourceLines,
  line: number,
  opener: Opener | undefined,
  lineOfLeaf: Map<number, number>,
): void {
  const start = trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0)
  const stop = lines.stops[line] ?? 0
  const source = lines.text.slice(start, stop)
  const add = (key: string, from: number, to: number, kind: number = NODE.text): void => {
    lineOfLeaf.set(tree.leaf(kind, tree.keyId(key), start + from, start + to, start), line)
  }
  const time = opener?.time(source)
  if (time !== undefined) return add(TIME, time.from, time.to)
  if (source.length > LONGEST) return add(LINE, 0, source.length)
  let end = 0
  for (const { index, 0: pair, 1: key = '', 2: value = '' } of source.matchAll(PAIR)) {
    const remark = source.slice(end, index).trim()
    if (/[\p{L}\p{N}]/u.test(remark))
      add(LINE, source.indexOf(remark, end), source.indexOf(remark, end) + remark.length)
    add(key, index + pair.length - value.length, index + pair.length, kindOfPlain(value))
    end = index + pair.length
  }
  const rest = trimStart(source, end, source.length)
  if (rest < source.length && (end === 0 || /[\p{L}\p{N}]/u.test(source.slice(rest))))
    add(LINE, rest, source.length)
}
