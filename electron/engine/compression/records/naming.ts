import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import { looksOpaque } from './opaque.ts'
import { valueHash } from './value-hash.ts'

/** By record node: the leaf that names it, -1 for none. */
export type Naming = Int32Array

const SAMPLE = 200
const OPAQUE = 0.4
/** Numbers are measures where neither place nor name says that they are ids. */
const MEASURES = 0.25
/** Those of a part name no record. */
const MEASURES_OF_PART = 2
const LEAST_PRESENT = 0.8
const LEAST_DISTINCT = 0.6
/** Of words in a field that is called a name or is the record's first: objects of several kinds share names. */
const LEAST_SHARED = 0.3
/** What words that name nothing lose where records share them: a rising id in front is better. */
const SHARED = 2
const LONGEST = 90
/** Rising numbers are ids where a record begins with them. */
const RISING = 0.35
/** A record's first field, where it differs from record to record and isn't a number or path: a date, an address. */
const FIRST = 0.2
const UNIQUE = 0.95
/** Deeper fields are parts' names. */
const DEEPEST = 3
const DEEPEST_PART = 6
/** Worth of a part's name, at the least: distinct, everywhere and short. */
const LEAST_OF_PART = 0.5

/** What names the records of a path is found from data: among their fields, the most distinct, present, short and near one; words name better than numbers. */
export function findNaming(leaves: JsonLeaves, columns: Columns): Naming {
  const { document } = leaves
  const naming = new Int32Array(document.count).fill(-1)
  const sizes = recordsByPath(leaves)
  const best = new Map<number, { path: number; worth: number }>()
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (column.length === 0) continue
    const found = recordAbove(leaves, path, sizes)
    if (found === undefined || (leaves.pathKeys[path] === ELEMENT && column.length > found.size)) continue
    const { above, depth, size } = found
    const worth = worthOf(leaves, path, column, size, depth, path === above + 1)
    if (worth !== undefined && worth > (best.get(above)?.worth ?? -Infinity)) best.set(above, { path, worth })
  }
  nameByParts(leaves, columns, sizes, best)
  for (const [recordPath, { path }] of best)
    for (const leaf of columns.of(path)) {
      let node = leaves.nodes[leaf] ?? 0
      while (node >= 0 && !(leaves.innerRecords[node] === node && leaves.paths[node] === recordPath))
        node = parentOf(document, node)
      if (node >= 0 && naming[node] === -1) naming[node] = leaf
    }
  return naming
}

/** A record without a name of its own has that of its only part that has one: the labels of one of its fields. */
function nameByParts(
  leaves: JsonLeaves,
  columns: Columns,
  sizes: ReadonlyMap<number, number>,
  best: Map<number, { path: number; worth: number }>,
): void {
  const unnamed = new Set([...sizes.keys()].filter((path) => !best.has(path)))
  if (unnamed.size === 0) return
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (column.length === 0) continue
    let above = leaves.pathParents[path] ?? -1
    for (let depth = 1; depth <= DEEPEST_PART && above >= 0; depth++) {
      const size = sizes.get(above) ?? 0
      if (unnamed.has(above) && column.length <= size) {
        const worth = worthOf(leaves, path, column, size, depth, false, MEASURES_OF_PART)
        if (worth !== undefined && worth > (best.get(above)?.worth ?? LEAST_OF_PART))
          best.set(above, { path, worth })
      }
      above = leaves.pathParents[above] ?? -1
    }
  }
}

/** By record path: the field, or that of a single part, which says best in words what its records are; undefined where none differs. */
export function findTitles(leaves: JsonLeaves, columns: Columns): (recordPath: number) => number | undefined {
  let found: Map<number, number> | undefined
  return (recordPath) => (found ??= titlesByPath(leaves, columns)).get(recordPath)
}

function titlesByPath(leaves: JsonLeaves, columns: Columns): Map<number, number> {
  const sizes = recordsByPath(leaves)
  const best = new Map<number, number>()
  const titles = new Map<number, number>()
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    let above = leaves.pathParents[path] ?? -1
    for (let depth = 1; depth <= DEEPEST_PART && above >= 0 && column.length > 0; depth++) {
      const size = sizes.get(above) ?? 0
      const facts = column.length <= size ? factsOf(leaves, path, column, size) : undefined
      if (facts !== undefined && facts.texts > MOSTLY * facts.filled && facts.distinct * facts.count > 1) {
        const isCalled = TITLE.test(labelOf(leaves, path))
        const worth = facts.distinct + facts.present - facts.mean / 150 - 0.1 * depth + (isCalled ? 0.5 : 0)
        if (worth > (best.get(above) ?? 0)) {
          best.set(above, worth)
          titles.set(above, path)
        }
      }
      above = leaves.pathParents[above] ?? -1
    }
  }
  return titles
}

const MOSTLY = 0.8
/** What says what a record is about: a tie-breaker. */
const TITLE =
  /(?:^|[^a-z])(?:name|title|subject|summary|label|url|uri|path|host|message|text|query|command)$/i

/** How many records each path has. */
export function recordsByPath({ document, innerRecords, paths }: JsonLeaves): Map<number, number> {
  const sizes = new Map<number, number>()
  for (let node = document.root; node < document.count; node++)
    if (innerRecords[node] === node) sizes.set(paths[node]!, (sizes.get(paths[node]!) ?? 0) + 1)
  return sizes
}

const ELEMENT = -1

/** The record that a field, or a list of one, is in without a list between. */
function recordAbove(leaves: JsonLeaves, path: number, sizes: ReadonlyMap<number, number>) {
  let above = leaves.pathParents[path] ?? -1
  for (let depth = 1; depth <= DEEPEST && above >= 0; depth++) {
    const size = sizes.get(above)
    if (size !== undefined) return { above, depth, size }
    if (leaves.pathKeys[above] === ELEMENT) return undefined
    above = leaves.pathParents[above] ?? -1
  }
  return undefined
}

/** Of a sample of a column; undefined where records lack it or values are too long. */
function factsOf(leaves: JsonLeaves, path: number, column: Int32Array, size: number) {
  const present = Math.min(1, column.length / size)
  if (present < LEAST_PRESENT) return undefined
  const { document } = leaves
  const count = Math.min(SAMPLE, column.length)
  const seen = new Set<number>()
  let length = 0
  let texts = 0
  let filled = 0
  let opaque = 0
  let unnamed = 0
  let numbers = 0
  let last = -Infinity
  let isRising = true
  for (let i = 0; i < count; i++) {
    const leaf = column[Math.floor((i * column.length) / count)] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    if (kind <= NODE.array || kind === NODE.null || kind === NODE.true || kind === NODE.false) continue
    filled++
    length += lengthOf(leaves, leaf)
    seen.add(valueHash(document, node))
    const start = (document.starts[node] ?? 0) + (kind === NODE.string ? 1 : 0)
    const first = document.text.charCodeAt(start)
    const isNumber = kind === NODE.number || isPlainNumber(document.text, start, document.stops[node] ?? 0)
    if (isNumber) numbers++
    if (kind === NODE.number || first === SLASH) unnamed++
    const isWords = kind !== NODE.number && !isDigit(first) && first !== SLASH && first !== LESS
    if (isWords && !isCode(document.text, start, document.stops[node] ?? 0)) texts++
    if (looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0)) opaque++
    if (isRising && kind === NODE.number) {
      const number = Number(document.text.slice(start, document.stops[node]))
      isRising = number > last
      last = number
    } else isRising = false
  }
  if (filled < LEAST_PRESENT * count) return undefined
  const distinct = seen.size / count
  const mean = length / filled
  if (mean > LONGEST) return undefined
  return { distinct, mean, present, filled, texts, opaque, unnamed, numbers, isRising, count }
}

function worthOf(
  leaves: JsonLeaves,
  path: number,
  column: Int32Array,
  size: number,
  depth: number,
  isFirst: boolean,
  measures: number = MEASURES,
): number | undefined {
  const facts = factsOf(leaves, path, column, size)
  if (facts === undefined) return undefined
  const { distinct, mean, present, filled, texts, opaque, unnamed, numbers, isRising, count } = facts
  const isCalledName = isCalled(leaves, path, depth)
  const isNameLike = texts > 0.8 * filled && (isCalledName || isFirst)
  if (distinct < (isNameLike ? LEAST_SHARED : LEAST_DISTINCT)) return undefined
  return (
    (isNameLike ? distinct : 1 - SHARED * (1 - distinct)) +
    present -
    mean / 150 -
    0.25 * depth +
    0.5 * (texts / filled) +
    (isCalledName ? 0.5 : 0) -
    OPAQUE * (opaque / filled) -
    (isCalledName || isFirst ? 0 : measures * (numbers / filled)) +
    (isRising && isFirst && count >= 4 ? RISING : 0) +
    (isFirst && unnamed === 0 && distinct > UNIQUE ? FIRST : 0)
  )
}

/** By its own name, or as a part of a name: `name.common`. */
const isCalled = (leaves: JsonLeaves, path: number, depth: number): boolean =>
  NAME.test(labelOf(leaves, path)) ||
  (depth > 1 && NAMES.test(labelOf(leaves, leaves.pathParents[path] ?? 0)))
const NAMES = /^(?:\w*[^a-z])?(?:name|title)$/i

/** Common names of naming fields: a tie-breaker. */
const NAME = /(?:^|[^a-z])(?:name|title|subject|summary|id|key|slug|login|identifier)$/i

/** At most one dot: an address has more. */
const isPlainNumber = (text: string, start: number, stop: number): boolean =>
  stop - start < 16 && /^-?\d+(?:\.\d+)?$/.test(text.slice(start, stop))

/** Letters and digits by turns: not a name in speech. */
function isCode(text: string, start: number, stop: number): boolean {
  let turns = 0
  let last = 0
  for (let i = start; i < Math.min(stop, start + LONGEST); i++) {
    const code = text.charCodeAt(i)
    if (code === 32) return false
    const kind = isDigit(code) ? 1 : code >= 65 && code <= 90 ? 2 : code >= 97 && code <= 122 ? 3 : 0
    if (kind !== last && kind > 0 && last > 0 && !(last === 2 && kind === 3))
      turns += kind === 1 || last === 1 ? 2 : 1
    last = kind
  }
  return turns > 3
}

/** Begins a path, and an address. */
const SLASH = 47
const LESS = 60
const isDigit = (code: number): boolean => code >= 48 && code <= 57
