import { NODE } from '../tree/json-document.ts'
import { findInlinePairs, type InlinePair } from './markdown-items/inline-pairs.ts'
import { LINES, readItemLine, TITLES, within, type ItemLine } from './markdown-items/item-lines.ts'
import { printLines } from './print-lines.ts'
import type { Reader, Reading } from './reading.ts'
import { lineOf, sourceLines, type SourceLines } from './source-lines.ts'
import { kindOfPlain, TreeBuilder } from './tree-builder.ts'

const LEAST_RECORDS = 3
const LEAST_KEYS = 2
/** Of the records; of a record's labels that another line of it has; of the text. */
const SHARE_OF_RECORDS = 0.5
const MOST_REPEATED = 0.5
const LEAST_LABELLED = 0.35

/**
 * Items as MCP servers write them in Markdown: a heading or a title, and labels with values below it
 * (`## Ridge House`, `- **Price**: 42`). Each item is a record with its title for a name.
 */
export const markdownItemsReader: Reader = {
  format: 'items',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    if (!hasItems(lines)) return undefined
    const read = readItems(lines)
    return read === undefined ? undefined : buildTree(lines, read)
  },
}

interface Items {
  /** By line: undefined for blank ones and rules. */
  readonly lines: readonly (ItemLine | undefined)[]
  /** Of items in one line. */
  readonly pairs: ReadonlyMap<number, readonly InlinePair[]>
  /** Share of the text that is in records and headings. */
  readonly explained: number
}

const SAMPLE = 120
const LEAST_LABELS = 6

/** A look at the first lines. */
function hasItems(lines: SourceLines): boolean {
  let labels = 0
  let titles = 0
  let paired = 0
  for (let line = 0; line < Math.min(lines.count, SAMPLE); line++) {
    const source = lineOf(lines, line)
    const read = readItemLine(source)
    if (read?.isMarked === true && TWO_PAIRS.test(source)) paired++
    if (read?.label !== undefined) labels++
    else if (read?.isTitle === true) titles++
  }
  return paired >= LEAST_RECORDS || (titles >= LEAST_RECORDS && labels >= LEAST_LABELS && labels >= titles)
}

const TWO_PAIRS = /\p{L}[*_]{0,2}: .*\p{L}[*_]{0,2}: /u

function readItems(lines: SourceLines): Items | undefined {
  const read: (ItemLine | undefined)[] = []
  let isFenced = false
  for (let line = 0; line < lines.count; line++) {
    const source = lineOf(lines, line)
    const isFence = FENCE.test(source)
    if (isFence) isFenced = !isFenced
    read.push(isFenced || isFence ? textLine(source) : readItemLine(source))
  }
  if (isYaml(read)) return undefined
  const pairs = findInlinePairs(
    read.map((own, line) => (own?.isMarked === true ? lineOf(lines, line) : undefined)),
  )
  for (const [line, [first]] of pairs) {
    const own = read[line]
    if (own === undefined) continue
    const { depth, start, valueStart } = own
    const name = lineOf(lines, line).slice(0, first?.start).replace(NAME_END, '')
    read[line] = { depth, start, isTitle: true, ...within(name, valueStart ?? start) }
  }
  const order = read.flatMap((each, line) => (each === undefined ? [] : [line]))
  // A title without labels below is a line of text.
  order.forEach((line, i) => {
    const own = read[line]
    const next = read[order[i + 1] ?? -1]
    if (
      own?.isTitle === true &&
      !pairs.has(line) &&
      own.depth >= TITLES &&
      (next === undefined || next.depth <= own.depth)
    )
      read[line] = { ...own, isTitle: false, depth: Math.max(own.depth, LINES) }
  })
  const explained = explainedBy(lines, { lines: read, pairs }, order)
  return explained === undefined ? undefined : { lines: read, pairs, explained }
}

/** `- name: a` with `price: b` below the name. */
const isYaml = (read: readonly (ItemLine | undefined)[]): boolean =>
  read.filter((own, line) => {
    const next = read[line + 1]
    const isPair = own?.isMarked === true && own.label !== undefined && next?.label !== undefined
    return isPair && next.isMarked !== true && next.start > own.start
  }).length >= LEAST_RECORDS

/** What parts a name from its first pair. */
const NAME_END = /[\s,;:|·•(–—-]+$/

const FENCE = /^\s*(?:```|~~~)/
const textLine = (source: string): ItemLine => ({
  depth: LINES + source.search(/\S|$/),
  isTitle: false,
  start: source.search(/\S|$/),
})

/** Undefined where titles have too few labels in common. */
function explainedBy(
  lines: SourceLines,
  { lines: read, pairs }: Omit<Items, 'explained'>,
  order: readonly number[],
): number | undefined {
  const records: { readonly keys: Map<string, number>; labelled: number; all: number }[] = []
  const sizeOf = (line: number): number => lineOf(lines, line).trim().length
  // With rules.
  let headings = 0
  for (let line = 0; line < lines.count; line++) if (read[line] === undefined) headings += sizeOf(line)
  for (const line of order) {
    const own = read[line]
    if (own === undefined) continue
    if (own.isTitle) {
      const own = pairs.get(line)
      if (own === undefined) headings += sizeOf(line)
      const labelled = own === undefined ? 0 : sizeOf(line)
      records.push({ keys: new Map(own?.map(({ label }) => [label, 1])), labelled, all: labelled })
      continue
    }
    const record = records.at(-1)
    if (record === undefined) continue
    record.all += sizeOf(line)
    if (own.label === undefined) continue
    record.labelled += sizeOf(line)
    record.keys.set(own.label, (record.keys.get(own.label) ?? 0) + 1)
  }
  const labelled = records.filter(({ keys }) => keys.size >= LEAST_KEYS)
  const counts = new Map<string, number>()
  for (const { keys } of labelled) for (const key of keys.keys()) counts.set(key, (counts.get(key) ?? 0) + 1)
  const common = [...counts].filter(([, count]) => count >= labelled.length * SHARE_OF_RECORDS)
  if (labelled.length < LEAST_RECORDS || common.length < LEAST_KEYS) return undefined
  const isRepeating = ({ keys }: { keys: Map<string, number> }): boolean =>
    [...keys.values()].reduce((sum, count) => sum + count, 0) >= keys.size / MOST_REPEATED
  if (labelled.filter(isRepeating).length > labelled.length * MOST_REPEATED) return undefined
  const shared = labelled.filter(({ keys }) => common.some(([key]) => keys.has(key)))
  const inLabels = shared.reduce((sum, { labelled }) => sum + labelled, 0)
  const inRecords = shared.reduce((sum, { all }) => sum + all, 0)
  if (inLabels < lines.size * LEAST_LABELLED) return undefined
  return Math.min(1, (inRecords + headings) / Math.max(1, lines.size))
}

function buildTree(lines: SourceLines, { lines: read, pairs, explained }: Items): Reading {
  const tree = new TreeBuilder(lines.text)
  const inLine = new Set<number>()
  const open: number[] = []
  const closeTo = (depth: number, at: number): void => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= depth) {
      open.pop()
      tree.end(at)
    }
  }
  const nextOf = (line: number): ItemLine | undefined => {
    let next = line + 1
    while (next < lines.count && read[next] === undefined) next++
    return read[next]
  }
  const lists = new Set<number>()
  for (let line = 0; line < lines.count; line++) {
    const own = read[line]
    if (own === undefined) continue
    const base = lines.starts[line] ?? 0
    const start = base + own.start
    const stop = lines.stops[line] ?? start
    const from = base + (own.valueStart ?? own.start)
    const to = Math.max(from, base + (own.valueStop ?? stop - base))
    closeTo(own.depth, start)
    const isInList = Number.isInteger((open.at(-1) ?? 0) + 0.5)
    if (own.isTitle && !isInList) {
      tree.begin(NODE.array, tree.container === 0 ? -1 : tree.keyId(LIST), start)
      open.push(own.depth - 0.5)
    } else if (!own.isTitle && isInList) closeTo(open.at(-1) ?? 0, start)
    const key = own.isTitle || lists.has(tree.container) ? -1 : tree.keyId(own.label ?? TEXT)
    const next = nextOf(line)
    const beside = pairs.get(line)
    const isOpen = own.isTitle || (next !== undefined && next.depth > own.depth)
    if (isOpen) {
      const isList = !own.isTitle && from >= to && next?.label === undefined && next?.isTitle === false
      const node = tree.begin(
        isList ? NODE.array : NODE.object,
        key,
        beside === undefined ? stop : start,
        start,
      )
      if (isList) lists.add(node)
      open.push(own.depth)
    }
    if (beside !== undefined) {
      if (from < to) inLine.add(tree.leaf(NODE.text, tree.keyId('name'), from, to, start))
      for (const { label, start, valueStart, valueStop } of beside) {
        const value = lines.text.slice(base + valueStart, base + valueStop)
        const kind = value === '' ? NODE.null : kindOfPlain(value)
        inLine.add(tree.leaf(kind, tree.keyId(label), base + valueStart, base + valueStop, base + start))
      }
    } else if (isOpen && from < to) tree.leaf(NODE.text, tree.keyId('name'), from, to, stop)
    else if (!isOpen)
      tree.leaf(from < to ? kindOfPlain(lines.text.slice(from, to)) : NODE.null, key, from, to, start)
  }
  const document = tree.finish()
  const { heads, flows } = tree
  return {
    format: 'items',
    document,
    explained,
    print: (chosen, textOf) =>
      printLines({ document, heads, flows, pairs: inLine, between: '' }, chosen, textOf),
  }
}

/** Keys of titled items in what they are in, and of lines without a label. */
const LIST = 'items'
const TEXT = 'text'
