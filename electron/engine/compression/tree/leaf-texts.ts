import type { Goal } from '../rank/goal.ts'
import { clipText } from './clip-text.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { endOf, isLeaf, kindOf, NODE, sourceOf, valueOf } from '../../text/tree/json-document.ts'
import { describeSeries } from '../../text/tree/series.ts'
import { estimateHundredths } from '../../text/tokens/estimate-tokens.ts'

/**
 * Each leaf's text as JSON: copied from the source, long strings cut to `longest` characters around what fits the
 * goal, series of numbers described. Created on demand and cached.
 */
export function createLeafTexts(leaves: JsonLeaves, goal: Goal | undefined, longest: number): LeafTexts {
  const { document } = leaves
  const texts = new Map<number, string>()
  const costs = new Map<number, number>()
  const make = (leaf: number): string => {
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    if (kind === NODE.object) return '{}'
    if (kind === NODE.array) return isLeaf(document, node) ? '[]' : describeSeries(document, node)
    if (kind !== NODE.string || (document.stops[node] ?? 0) - (document.starts[node] ?? 0) <= longest)
      return sourceOf(document, node)
    const value = valueOf(document, node)
    if (value.length <= longest) return JSON.stringify(value)
    return JSON.stringify(clipText(value, longest, goal))
  }
  return {
    of(leaf) {
      let text = texts.get(leaf)
      if (text === undefined) texts.set(leaf, (text = make(leaf)))
      return text
    },
    costOf(leaf) {
      let cost = costs.get(leaf)
      if (cost === undefined) costs.set(leaf, (cost = estimateInside(this.of(leaf))))
      return cost
    },
    costOfKey(key) {
      let cost = costs.get(-1 - key)
      if (cost === undefined) costs.set(-1 - key, (cost = estimateInside(document.keyTexts[key] ?? '')))
      return cost
    },
    isWhole(leaf) {
      const node = leaves.nodes[leaf] ?? 0
      if (endOf(document, node) !== node + 1) return this.of(leaf).startsWith('[')
      return kindOf(document, node) !== NODE.string || valueOf(document, node).length <= longest
    },
  }
}

/** Quotes join adjacent signs in one token. */
const estimateInside = (text: string): number =>
  text.startsWith('"')
    ? estimateHundredths(text, 1, text.length - 1)
    : estimateHundredths(text, 0, text.length)

export interface LeafTexts {
  of(leaf: number): string
  /** Hundredths of a token: estimates without quotes. */
  costOf(leaf: number): number
  costOfKey(key: number): number
  /** False for descriptions and excerpts. */
  isWhole(leaf: number): boolean
}
