import { countTerms, partCounter } from '../../text/words/count-terms.ts'
import { kindOf, NODE, parentOf, valueOf } from '../../text/tree/json-document.ts'
import { pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { endOfPiece, isPiece, type Items } from './items.ts'
import type { Naming } from './naming.ts'
import { timesIn, wordsOfTime } from '../rank/asked-times.ts'
import { isTitle, nameOf } from './title.ts'
import { timeOf } from '../../text/tree/unix-time.ts'
import { weightsFor } from '../../text/words/query.ts'
import { maskOf, maskSums, type RankQuery } from './rank-query.ts'

/** Where the goal's terms are: masks of terms, and what a mask is worth. */
export interface Evidence {
  readonly query: RankQuery
  /** By item. */
  readonly own: Int32Array
  /** By item: has a negated word; it counts in no mask. */
  readonly denied: Uint8Array | undefined
  /** Adjacent words of the goal, by item. */
  readonly pairs: Uint8Array
  /** By node: terms anywhere in its values, map keys and comments. */
  readonly inside: Int32Array
  /** Records whose whole name the goal says, where others only have it in theirs ("web", "web-api"). */
  readonly exact: ReadonlySet<number>
  /** By node, sparse: terms of the comment above. */
  readonly commented: ReadonlyMap<number, number>
  /** By path: its last name, the names above. */
  readonly names: Int32Array
  readonly above: Int32Array
  /** Rarity-weighted shares of the goal: in values, in names, in either. */
  readonly inValues: (mask: number) => number
  readonly inNames: (mask: number) => number
  readonly inBoth: (mask: number) => number
}

/** Weight in names beside rarity: a field of the goal counts in small documents too. */
const NAMED = 0.3
/** Weight of a term that is nowhere, and of the whole: a common word found alone is not a full match. */
const ABSENT = 0.25
const FLOOR = 0.15
const SHORTEST_NAME = 2
const LEAST_RECORDS = 5
const MOST = 0.5
/** Characters, with quotes. */
const LONGEST_TIME = 34
/** Of the values that such a word counts as found in. */
const SHARED = 0.35

export function findEvidence(
  items: Items,
  naming: Naming,
  query: RankQuery,
  comments: ReadonlyMap<number, string> | undefined,
): Evidence {
  const { leaves } = items
  const { document } = leaves
  const own = new Int32Array(items.count)
  const pairs = new Uint8Array(items.count)
  const inside = new Int32Array(document.count)
  const denied = query.denied === 0 ? undefined : new Uint8Array(items.count)
  const frequencies = new Float64Array(query.terms.length)
  const note = (mask: number): void => {
    for (let left = mask; left !== 0; left &= left - 1) frequencies[31 - Math.clz32(left & -left)]!++
  }

  const { names, above, keyed, pathFrequencies } = findNames(items, query)
  const isOfField = query.absent !== 0 && names.some((mask) => (mask & query.absent) === query.absent)
  // "Without a worker": values with the word are of what is there.
  const unsought = query.denied | (isOfField ? query.absentForms : 0)
  const countPart = partCounter(document.text, query)
  const isAsked = timesIn(query.goal.text)
  const asksDigits = /\d/.test(query.goal.text)
  let escape = -1
  for (let item = 0; item < items.count; item++) {
    const leaf = items.leafOf[item] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    if (kind === NODE.true) {
      // "Which are deprecated" finds `"deprecated": true`.
      const inName = (names[leaves.paths[node] ?? 0] ?? 0) & query.own & ~query.denied & ~query.absent
      own[item] = inName
      inside[node]! |= inName
      note(inName)
    }
    if (kind === NODE.null || kind === NODE.object || kind === NODE.true || kind === NODE.false) continue
    const start = document.starts[node] ?? 0
    if (escape < start) escape = placeOf(document.text.indexOf('\\', start))
    const length = (document.stops[node] ?? 0) - start
    const isCoded = kind === NODE.string ? escape < (document.stops[node] ?? 0) : document.values?.has(node)
    const time = asksDigits && length <= LONGEST_TIME ? timeOf(valueOf(document, node)) : undefined
    const isTime = time !== undefined && isAsked(time)
    const counted = isPiece(items, item)
      ? countTerms(items.long.get(leaf) ?? '', query, items.starts[item], endOfPiece(items, item))
      : isCoded
        ? countTerms(valueOf(document, node), query)
        : countPart(start, document.stops[node] ?? 0)
    if (counted.counts === undefined && !isTime) continue
    const found = maskOf(counted.counts) | (isTime ? maskOf(countTerms(wordsOfTime(time), query).counts) : 0)
    if (denied && (found & query.denied) !== 0) denied[item] = 1
    const mask = found & ~unsought
    own[item] = mask
    pairs[item] = Math.min(counted.pairs, 255)
    inside[node]! |= mask
    note(mask)
  }

  const exact = new Set<number>()
  const asked = query.goal.text.toLowerCase()
  for (let node = document.root; node < document.count; node++) {
    const leaf = naming[node] ?? -1
    const item = items.firstOf[leaf] ?? 0
    if (leaf < 0 || isPiece(items, item)) continue
    const named = leaves.nodes[leaf] ?? 0
    const name = valueOf(document, named)
    if (own[item] !== 0 && hasWhole(asked, name)) exact.add(node)
    const parts = query.partsIn(name) & ~own[item]! & ~unsought
    if (parts === 0) continue
    own[item] = own[item]! | parts
    inside[named]! |= parts
    note(parts)
  }

  for (let item = 0; item < items.count; item++) {
    const leaf = items.leafOf[item] ?? 0
    if (own[item] === 0 || isPiece(items, item) || !isTitle(leaves, leaf)) continue
    const record = leaves.innerRecords[leaves.nodes[leaf] ?? 0] ?? -1
    const isAsked = record >= 0 && nameOf(leaves, naming, record) === leaf
    if (isAsked && hasWhole(asked, valueOf(document, leaves.nodes[leaf] ?? 0))) exact.add(record)
  }

  if (exact.size > 0) forgetSpent(items, naming, query, exact, own, inside)

  for (const node of closestKeys(keyed, asked)) exact.add(node)
  const fields = fieldsOfMost(items, names, query.terms.length)
  for (const [node, { name, mask }] of keyed) {
    const isNamed = hasWhole(asked, name)
    if (isNamed) exact.add(node)
    const sought = isNamed ? mask : mask & ~fields
    inside[node]! |= sought
    note(sought)
  }
  const commented = new Map<number, number>()
  for (const [node, text] of comments ?? []) {
    const mask = maskOf(countTerms(text, query).counts)
    if (mask !== 0) commented.set(node, mask)
    inside[node]! |= mask
    note(mask)
  }
  for (let node = document.count - 1; node > document.root; node--) {
    const mask = inside[node]!
    if (mask !== 0) inside[parentOf(document, node)]! |= mask
  }
  if (query.goal.order === undefined) countShared(leaves, inside, frequencies, items.count)
  const weights = weighTerms(query, frequencies, items.count, pathFrequencies, leaves.pathCount)
  return { query, own, denied, pairs, inside, exact, commented, names, above, ...weights }
}

/** Words that the goal has only in a record's whole name are not sought in other names: "mail" of "mail-3" in "mail-4". A name of one plain word may be any word. */
function forgetSpent(
  { leaves, firstOf }: Items,
  naming: Naming,
  query: RankQuery,
  exact: ReadonlySet<number>,
  own: Int32Array,
  inside: Int32Array,
): void {
  const { document, nodes } = leaves
  let rest = query.goal.text.toLowerCase()
  let spent = 0
  for (const node of exact) {
    const leaf = naming[node] ?? -1
    const name = leaf < 0 ? '' : valueOf(document, nodes[leaf] ?? 0).toLowerCase()
    if (/^\p{L}*$/u.test(name)) continue
    spent |= own[firstOf[leaf] ?? 0]!
    rest = rest.replaceAll(name, ' ')
  }
  if (spent === 0) return
  const sought = ~spent | maskOf(countTerms(rest, query).counts)
  for (let node = document.root; node < document.count; node++) {
    const leaf = naming[node] ?? -1
    if (leaf < 0 || exact.has(node)) continue
    own[firstOf[leaf] ?? 0]! &= sought
    inside[nodes[leaf] ?? 0]! &= sought
  }
}

/** Keys that are paths and end in a name of the goal, of which the shortest are meant: "node_modules/ws" for "ws". */
function closestKeys(keyed: ReadonlyMap<number, { readonly name: string }>, asked: string): number[] {
  let least = Infinity
  let found: number[] = []
  for (const [node, { name }] of keyed) {
    const { length } = name.split('/')
    if (length < 2 || length > least || !hasWhole(asked, name.slice(name.lastIndexOf('/') + 1))) continue
    if (length < least) found = []
    least = length
    found.push(node)
  }
  return found
}

/** "web" is neither in "web-api" nor in "web.1". */
export function hasWhole(text: string, name: string): boolean {
  const wanted = name.toLowerCase()
  for (
    let at = text.indexOf(wanted);
    at >= 0 && name.length >= SHORTEST_NAME;
    at = text.indexOf(wanted, at + 1)
  ) {
    const [before, end] = [text.slice(Math.max(0, at - 2), at), at + name.length]
    if (!/\w[-./:@]?$/.test(before) && !/^[-./:@]?\w/.test(text.slice(end, end + 2))) return true
  }
  return false
}

/** A word that most records share says little of which one is meant, unless by an order. */
function countShared(
  { records }: JsonLeaves,
  inside: Int32Array,
  frequencies: Float64Array,
  size: number,
): void {
  if (records.length < LEAST_RECORDS) return
  const counts = new Float64Array(frequencies.length)
  for (const record of records)
    for (let left = inside[record]!; left !== 0; left &= left - 1) counts[31 - Math.clz32(left & -left)]!++
  for (const [id, count] of counts.entries()) {
    const share = count / records.length
    if (share > MOST) frequencies[id] = Math.max(frequencies[id]!, share * SHARED * size)
  }
}

/** Terms that name a field which most records have ("version"): in keys they say little. */
function fieldsOfMost({ leaves }: Items, names: Int32Array, terms: number): number {
  const { records, nodes, outerRecords } = leaves
  if (records.length < LEAST_RECORDS) return 0
  const counts = new Float64Array(terms)
  let [outer, seen] = [-1, 0]
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const record = outerRecords[nodes[leaf]!]!
    if (record < 0) continue
    if (record !== outer) [outer, seen] = [record, 0]
    for (let left = names[pathOf(leaves, leaf)]! & ~seen; left !== 0; left &= left - 1)
      counts[31 - Math.clz32(left & -left)]!++
    seen |= names[pathOf(leaves, leaf)]!
  }
  return counts.reduce((mask, found, id) => (found > MOST * records.length ? mask | (1 << id) : mask), 0)
}

/** Paths' names, and the names of records in maps and of rows. */
function findNames({ leaves }: Items, query: RankQuery) {
  const { document, pathCount } = leaves
  const names = new Int32Array(pathCount)
  const above = new Int32Array(pathCount)
  const pathFrequencies = new Float64Array(query.terms.length)
  const known = new Map<string, number>()
  const maskOfName = (name: string): number => {
    let mask = known.get(name)
    if (mask === undefined)
      known.set(name, (mask = maskOf(countTerms(name, query).counts) | query.partsIn(name)))
    return mask
  }
  for (let path = 1; path < pathCount; path++) {
    const parent = leaves.pathParents[path] ?? 0
    const name = leaves.pathNames[path]
    if (name === undefined) {
      names[path] = names[parent] ?? 0
      above[path] = above[parent] ?? 0
      continue
    }
    names[path] = maskOfName(name)
    above[path] = (above[parent] ?? 0) | (names[parent] ?? 0)
    for (let left = (names[path] ?? 0) | (above[path] ?? 0); left !== 0; left &= left - 1)
      pathFrequencies[31 - Math.clz32(left & -left)]!++
  }
  const keyed = new Map<number, { name: string; mask: number }>()
  const noteName = (node: number, name: string): void => {
    const mask = maskOfName(name)
    if (mask !== 0) keyed.set(node, { name, mask })
  }
  for (let node = document.root + 1; node < document.count; node++) {
    const key = document.keys[node] ?? -1
    if (key < 0 || (leaves.pathKeys[leaves.paths[node] ?? 0] ?? 0) >= 0) continue
    noteName(node, document.keyNames[key] ?? '')
  }
  for (const [row, name] of leaves.rowNames) noteName(row, name)
  return { names, above, keyed, pathFrequencies }
}

function weighTerms(
  query: RankQuery,
  frequencies: Float64Array,
  size: number,
  pathFrequencies: Float64Array,
  paths: number,
): Pick<Evidence, 'inValues' | 'inNames' | 'inBoth'> {
  const anywhere = frequencies.map((found, id) => found + (pathFrequencies[id] ?? 0))
  const weights = weightsFor(query, anywhere)
  const values = weights.map((weight, id) => weight * rarity(frequencies[id] ?? 0, size))
  const names = weights.map((weight, id) => {
    const found = pathFrequencies[id] ?? 0
    return found === 0 ? 0 : weight * (rarity(found, paths) + NAMED)
  })
  const both = values.map((value, id) => ((frequencies[id] ?? 0) > 0 ? value : (names[id] ?? 0)))
  let whole = FLOOR * Math.log(2 + size)
  let wholeNames = FLOOR * Math.log(2 + paths)
  let wholeBoth = 0
  for (const [id, { weight }] of query.terms.entries()) {
    const isFound = (frequencies[id] ?? 0) > 0 || (pathFrequencies[id] ?? 0) > 0
    const isOwn = ((query.own >>> id) & 1) === 1
    if (isOwn) whole += isFound ? (values[id] ?? 0) : ABSENT * weight * Math.log(1 + size)
    if (isOwn) wholeNames += isFound ? (names[id] ?? 0) : ABSENT * weight * Math.log(1 + paths)
    if (isOwn) wholeBoth += isFound ? (both[id] ?? 0) : ABSENT * weight * Math.log(1 + size)
  }
  const shareOf = (weights: readonly number[], all: number) => {
    const sum = maskSums(weights.map((weight) => weight / (all || 1)))
    return (mask: number): number => Math.min(1.2, sum(mask))
  }
  return {
    inValues: shareOf(values, whole),
    inNames: shareOf(names, wholeNames),
    inBoth: shareOf(both, wholeBoth),
  }
}

/** Okapi's inverse document frequency; 0 for what is nowhere. */
const rarity = (found: number, size: number): number =>
  found === 0 ? 0 : Math.log(1 + Math.max(0, size - found + 0.5) / (found + 0.5))

const placeOf = (found: number): number => (found < 0 ? Infinity : found)
