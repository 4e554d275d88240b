import { pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'
import type { Items } from './items.ts'
import type { Naming } from './naming.ts'

/** Share of the goal that a quoted value adds to its record. */
const QUOTED = 0.3
/** Nothing fits well where the best share is below this. */
const LEAST_BEST = 0.1

export const cube = (share: number): number => share * share * share

export interface RecordFits {
  readonly top: Float32Array
  readonly inner: Float32Array
  readonly bestTop: number
  readonly bestInner: number
  readonly bestParent: number
}

/** Shares of the goal by record node; an inner record counts with its outer record's own fields. */
export function fitRecords(
  leaves: JsonLeaves,
  { inside, inValues }: Evidence,
  quoted: Float32Array | undefined,
): RecordFits {
  const { document } = leaves
  const top = new Float32Array(document.count)
  const inner = new Float32Array(document.count)
  let bestTop = LEAST_BEST
  let bestInner = LEAST_BEST
  let bestParent = LEAST_BEST
  const shared = new Int32Array(document.count)
  const quotes = new Float32Array(quoted === undefined ? 0 : document.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const outer = leaves.outerRecords[node] ?? -1
    if (outer >= 0 && leaves.innerRecords[node] === outer) shared[outer]! |= inside[node] ?? 0
    const quote = quoted?.[leaf] ?? 0
    if (quote > 0) {
      const inner = leaves.innerRecords[node] ?? -1
      if (inner >= 0) quotes[inner] = Math.max(quotes[inner] ?? 0, quote)
      if (outer >= 0) quotes[outer] = Math.max(quotes[outer] ?? 0, quote)
    }
  }
  for (let node = document.root + 1; node < document.count; node++) {
    if (kindOf(document, node) > NODE.array) continue
    const mask = inside[node] ?? 0
    const quote = QUOTED * (quotes[node] ?? 0)
    if (mask === 0 && quote === 0) continue
    const outer = leaves.outerRecords[node] ?? -1
    const fit = inValues(mask) + quote
    bestParent = Math.max(bestParent, fit)
    if (outer === node) {
      top[node] = fit
      bestTop = Math.max(bestTop, fit)
    }
    if (leaves.innerRecords[node] === node) {
      inner[node] = quote + inValues(mask | (outer < 0 ? 0 : (shared[outer] ?? 0)))
      bestInner = Math.max(bestInner, inner[node] ?? 0)
    }
  }
  return { top, inner, bestTop, bestInner, bestParent }
}

/** How well paths' names fit, 0 to 1 of the best. */
export function fitPaths(leaves: JsonLeaves, { names, above, inNames }: Evidence): Float64Array {
  const fits = new Float64Array(leaves.pathCount)
  let best = 1e-9
  for (let path = 0; path < leaves.pathCount; path++) {
    const fit = inNames((names[path] ?? 0) | (above[path] ?? 0)) * ((names[path] ?? 0) === 0 ? 0.6 : 1)
    fits[path] = fit
    best = Math.max(best, fit)
  }
  return fits.map((fit) => (fit / best) ** 4)
}

/** By list of records, where there are several: how well its values and names together fit, 0 to 1 of the best. */
export function fitGroups(leaves: JsonLeaves, { inside, names, inBoth }: Evidence): Float64Array | undefined {
  const { document } = leaves
  const masks = new Map<number, number>()
  const fieldsOf = new Map<number, number>()
  for (const record of leaves.records) {
    const list = parentOf(document, record)
    if (!masks.has(list)) masks.set(list, inside[list] ?? 0)
  }
  if (masks.size < 2) return undefined
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const outer = leaves.outerRecords[node] ?? -1
    if (outer < 0) continue
    const list = parentOf(document, outer)
    fieldsOf.set(list, (fieldsOf.get(list) ?? 0) | (names[pathOf(leaves, leaf)] ?? 0))
  }
  const fits = new Float64Array(document.count)
  let best = 1e-9
  for (const [list, mask] of masks) {
    fits[list] = inBoth(mask | (fieldsOf.get(list) ?? 0) | (names[leaves.paths[list] ?? 0] ?? 0))
    best = Math.max(best, fits[list] ?? 0)
  }
  for (const list of masks.keys()) fits[list] = cube((fits[list] ?? 0) / best)
  return fits
}

/** By record node: the share of its name's words that the goal has. */
export function fitNames(items: Items, naming: Naming, evidence: Evidence): Float32Array {
  const { document } = items.leaves
  const fits = new Float32Array(document.count)
  for (let node = document.root; node < document.count; node++) {
    const leaf = naming[node] ?? -1
    if (leaf < 0) continue
    const item = items.firstOf[leaf] ?? 0
    const words = evidence.words[item] ?? 0
    if (words > 0) fits[node] = Math.min(1, (evidence.hits[item] ?? 0) / words)
  }
  for (const [node, mask] of evidence.keyed) fits[node] = Math.max(fits[node] ?? 0, mask === 0 ? 0 : 0.8)
  return fits
}

/** By outermost record: its place among its siblings. */
export function indexRecords(leaves: JsonLeaves): { indexes: Int32Array; sizes: Map<number, number> } {
  const sizes = new Map<number, number>()
  const { document } = leaves
  const indexes = new Int32Array(document.count)
  let parent = -1
  let index = 0
  for (const record of leaves.records) {
    const above = parentOf(document, record)
    index = above === parent ? index + 1 : 0
    parent = above
    indexes[record] = index
    sizes.set(above, index + 1)
  }
  return { indexes, sizes }
}
