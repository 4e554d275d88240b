import { endOf, isContainer, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import { isEmpty, leavesOf, lengthOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { findDefinitions } from './definitions.ts'
import { isPiece } from './items.ts'
import { findTitles, type Naming } from './naming.ts'
import { isCoded } from './opaque.ts'
import { Queue, type QueueInput } from './queue.ts'
import { fieldOf, nameOf } from './title.ts'

/** Characters of values and names up to which a record is shown whole; a table's row. Of one that no field names, what most records have alike does not count. */
const WHOLE = 110
const WHOLE_ROW = 330

const LONGEST_LABEL = 40
const LONGEST_HEADING = 160

/** Records that are shown with their id: the next call may ask for it. */
const WITH_ID = 3
const ID = /^_?(?:id|key|number)$/i
/** Records whose name is a code are shown with a title, too. */
const WITH_TITLE = 5

export interface Step {
  /** The best first. */
  readonly items: readonly number[]
}

export interface OrderInput extends QueueInput {
  readonly naming: Naming
  /** There is a goal, and what is shown of a record must say which it is. */
  readonly isAsked: boolean
  /** Rows of tables print cheaply. */
  readonly isTable: boolean
  /** Records begin with one field, as a paragraph does with its heading. */
  readonly isHeaded: boolean
}

/**
 * One order for every budget: by score, less for each earlier value of the same path. A value comes with what names
 * the records above it, and with its whole record when that is short.
 */
export function* orderItems(input: OrderInput): Generator<Step> {
  const { items, naming, isTable, isHeaded } = input
  const { leaves } = items
  const { document } = leaves
  // The name in a pair comes with its value.
  for (const node of leaves.partners.keys())
    if (leaves.pathNames[leaves.paths[node]!] === undefined)
      input.scores[items.firstOf[leaves.before[node]!]!] = -Infinity
  const queue = new Queue(input)
  const isVaried = (leaf: number): boolean => input.oddities.isConstant[leaf] !== 1
  /** Of a record that no field names, around rows: labels of a series. */
  const isLabel = (record: number, leaf: number, longest: number): boolean =>
    isVaried(leaf) &&
    leaves.innerRecords[leaves.nodes[leaf] ?? 0] === record &&
    lengthOf(leaves, leaf) <= longest
  const titlePathOf = findTitles(leaves, input.columns)
  /** Of a record that has no name, or a code for one: a field that is called so, else the one that says most. */
  const titleOf = (record: number, name: number): number => {
    const title = nameOf(leaves, naming, record)
    // What all are called tells none apart.
    const isTitled = title >= 0 && isVaried(title)
    const isPrinted = isTitled || !input.isAsked || !isCoded(document, leaves.nodes[name] ?? 0)
    if (name >= 0 && isPrinted) return title
    const path = titlePathOf(leaves.paths[record] ?? 0)
    const [first, end] = leavesOf(leaves, record)
    for (let leaf = first; leaf < (path === undefined ? first : end); leaf++)
      if (pathOf(leaves, leaf) === path) return isEmpty(leaves, leaf) ? -1 : leaf
    return isTitled ? title : -1
  }
  const identified = new Set<number>()
  const titled = new Set<number>()
  let entitled = 0
  const definitionsOf = findDefinitions(leaves)
  for (let item = queue.take(); item >= 0; item = queue.take()) {
    const step = [item]
    const node = leaves.nodes[items.leafOf[item] ?? 0] ?? 0
    const inner = leaves.innerRecords[node] ?? -1
    const parent = parentOf(document, node)
    const row = leaves.rows.get(inner)
    const add = (other: number): void => {
      if (queue.claim(other)) step.push(other)
    }
    const addAll = (container: number, isAlso: (leaf: number) => boolean = () => true): void => {
      const [first, end] = leavesOf(leaves, container)
      for (let other = items.firstOf[first] ?? 0; other < (items.firstOf[end] ?? 0); other++) {
        const leaf = items.leafOf[other] ?? 0
        const above = parentOf(document, leaves.nodes[leaf] ?? 0)
        // An empty element has a place in its list.
        const isWanted = row !== undefined || kindOf(document, above) === NODE.array || !isEmpty(leaves, leaf)
        if (isWanted && isAlso(leaf)) add(other)
      }
    }
    const isWhole = row?.includes(undefined) === true || isShort(leaves, inner, isTable ? WHOLE_ROW : WHOLE)
    if (inner >= 0 && isWhole) addAll(inner)
    else if (inner >= 0 && naming[inner] === -1 && isShort(leaves, inner, WHOLE, isVaried))
      addAll(inner, isVaried)
    else if (parent > document.root && parent !== inner && isShort(leaves, parent, WHOLE)) addAll(parent)
    for (let record = inner; record >= 0; record = recordAbove(leaves, record)) {
      const name = naming[record] ?? -1
      if (name >= 0 && !isPiece(items, items.firstOf[name] ?? 0)) add(items.firstOf[name] ?? 0)
      const first = isHeaded ? (leavesOf(leaves, record)[0] ?? -1) : -1
      if (first >= 0 && first !== name && isLabel(record, first, LONGEST_HEADING))
        add(items.firstOf[first] ?? 0)
      if (name < 0 && row !== undefined && record !== inner)
        addAll(record, (leaf) => isLabel(record, leaf, LONGEST_LABEL))
      for (const header of leaves.tables.get(parentOf(document, record)) ?? [])
        add(items.firstOf[leaves.before[header] ?? 0] ?? 0)
    }
    if (inner >= 0 && identified.size < WITH_ID && !identified.has(inner)) {
      identified.add(inner)
      const id = fieldOf(leaves, inner, ID)
      if (id >= 0) add(items.firstOf[id] ?? 0)
    }
    for (let record = inner; record >= 0; record = recordAbove(leaves, record)) {
      const name = naming[record] ?? -1
      if (titled.has(record) || (name >= 0 && entitled >= WITH_TITLE)) continue
      titled.add(record)
      const title = titleOf(record, name)
      if (title < 0) continue
      if (name >= 0 && title !== name) entitled++
      add(items.firstOf[title] ?? 0)
    }
    for (const each of step) {
      const partner = leaves.partners.get(leaves.nodes[items.leafOf[each] ?? 0] ?? 0)
      if (partner !== undefined) add(items.firstOf[leaves.before[partner] ?? 0] ?? 0)
      for (const beside of leaves.parallel.get(leaves.nodes[items.leafOf[each] ?? 0] ?? 0) ?? [])
        add(items.firstOf[leaves.before[beside] ?? 0] ?? 0)
      for (const leaf of definitionsOf(items.leafOf[each] ?? 0)) add(items.firstOf[leaf] ?? 0)
    }
    queue.liftSiblings(item, inner >= 0 ? inner : parent)
    yield { items: step }
  }
}

const recordAbove = (leaves: JsonLeaves, record: number): number => {
  const parent = parentOf(leaves.document, record)
  return parent < 0 ? -1 : (leaves.innerRecords[parent] ?? -1)
}

/** Adds up sources of values and their names, of those leaves that count; stops early. */
function isShort(
  { document, paths, pathLabels, before }: JsonLeaves,
  container: number,
  most: number,
  counts: (leaf: number) => boolean = () => true,
): boolean {
  let length = 0
  for (let node = container + 1; node < endOf(document, container); node++) {
    if (!isContainer(document, node) && !counts(before[node] ?? 0)) continue
    if (!isContainer(document, node)) length += (document.stops[node] ?? 0) - (document.starts[node] ?? 0)
    length += (pathLabels[paths[node] ?? 0] ?? '').length
    if (length > most) return false
  }
  return true
}
