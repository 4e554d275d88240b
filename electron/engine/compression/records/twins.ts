import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import {
  childrenOf,
  endOf,
  isContainer,
  keyOf,
  kindOf,
  NODE,
  parentOf,
  sourceOf,
} from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'

/** What two objects beside each other say of one thing: before and after, planned and real. */
export interface Twins {
  /** By leaf: the other object has another value, or none. */
  readonly differs: Uint8Array
  /** By leaf: the object before says the same. */
  readonly isRepeated: Uint8Array
}

const LEAST_EQUAL = 3
/** Of the leaves of the larger one. */
const MOSTLY = 0.75
/** Nodes of the larger one. */
const MOST_NODES = 20_000
/** Objects among an object's members; more are a list. */
const MOST_MEMBERS = 8
/** Nodes compared in all, in relation to the document's: pairs within pairs would take the square of it. */
const MOST_COMPARED = 4

/** Pairs of an object's members that have mostly the same values, where no third one has their keys. */
export function findTwins(leaves: JsonLeaves): Twins {
  const { document, before, count } = leaves
  const twins: Twins = { differs: new Uint8Array(count), isRepeated: new Uint8Array(count) }
  const mark = (marks: Uint8Array, nodes: readonly number[]): void => {
    for (const node of nodes) {
      const leaf = before[node]!
      // A long list of numbers is one leaf.
      if (leaves.nodes[leaf] === node) marks[leaf] = 1
    }
  }
  let left = MOST_COMPARED * document.count
  for (let node = document.root; node < document.count && left > 0; node++) {
    const pair = kindOf(document, node) === NODE.object ? pairIn(document, node) : undefined
    if (pair === undefined) continue
    left -= endOf(document, node) - node
    const { equal, different, size } = compare(document, ...pair)
    if (equal.length < LEAST_EQUAL || equal.length < MOSTLY * size) continue
    mark(twins.isRepeated, equal)
    mark(twins.differs, different)
    node = endOf(document, pair[1]) - 1
  }
  return twins
}

/** The only two of a node's members that are objects with the same first keys. */
function pairIn(document: JsonDocument, node: number): readonly [number, number] | undefined {
  if (endOf(document, node) - node > MOST_NODES * 2) return undefined
  const members = childrenOf(document, node).filter(
    (child) => kindOf(document, child) === NODE.object && endOf(document, child) - child > LEAST_EQUAL,
  )
  if (members.length < 2 || members.length > MOST_MEMBERS) return undefined
  const keysOfMember = members.map((child) => ({
    child,
    keys: new Set(childrenOf(document, child).map((each) => keyOf(document, each))),
  }))
  for (const [i, one] of keysOfMember.entries()) {
    const alike = keysOfMember.filter(
      ({ keys }) => one.keys.intersection(keys).size >= MOSTLY * one.keys.size,
    )
    if (alike.length !== 2) continue
    const other = alike.find((each) => each !== one)
    if (other !== undefined && keysOfMember.indexOf(other) > i) return [one.child, other.child]
  }
  return undefined
}

function compare(
  document: JsonDocument,
  one: number,
  other: number,
): { readonly equal: number[]; readonly different: number[]; readonly size: number } {
  const known: PlaceNumbers = new Map()
  const [first, second] = [placesIn(document, one, known), placesIn(document, other, known)]
  const equal: number[] = []
  const different: number[] = []
  for (const [place, node] of second) {
    const before = first.get(place)
    if (before !== undefined && sourceOf(document, before) === sourceOf(document, node)) equal.push(node)
    else different.push(node, ...(before === undefined ? [] : [before]))
  }
  for (const [place, node] of first) if (!second.has(place)) different.push(node)
  return { equal, different, size: Math.max(first.size, second.size) }
}

/** By the number of the place above and a key: a path in full would grow with its depth. */
type PlaceNumbers = Map<string, number>

/** Nodes without parts by their places below a node. */
function placesIn(document: JsonDocument, root: number, known: PlaceNumbers): Map<number, number> {
  const places = new Map<number, number>()
  const placeOf = new Map([[root, 0]])
  const elements = new Map<number, number>()
  for (let node = root + 1; node < endOf(document, root); node++) {
    const parent = parentOf(document, node)
    const key = keyOf(document, node)
    const element = elements.get(parent) ?? 0
    elements.set(parent, element + 1)
    const name = `${placeOf.get(parent) ?? 0}/${key < 0 ? `#${element}` : key}`
    const place = known.get(name) ?? known.size + 1
    known.set(name, place)
    if (isContainer(document, node) && endOf(document, node) > node + 1) placeOf.set(node, place)
    else places.set(place, node)
  }
  return places
}
