import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { keyOf, parentOf } from '../../text/tree/json-document.ts'
import type { LeafTexts } from './leaf-texts.ts'
import { findOddities } from './lift-oddities.ts'
import { bestFirst } from './order-leaves.ts'
import { renderLeaves } from './render-leaves.ts'
import { selectLeaves } from './select-leaves.ts'

/** Lists keys without example. */
const OTHER_KEYS = '"(other keys)"'
const LIST_SHARE = 0.85
const ODDITIES = 10
const ATTEMPTS = 5

export interface Sketch {
  readonly text: string
  readonly chosen: readonly number[]
  readonly tokens: number
}

/**
 * Overview without a goal: records with odd values, one example per path, and the remaining key names that fit,
 * nearest to the root and commonest first.
 */
export function sketchDocument(
  leaves: JsonLeaves,
  columns: Columns,
  texts: LeafTexts,
  budget: number,
): Sketch | undefined {
  const order = exampleOrder(leaves, columns)
  const keys = rankKeys(leaves)
  const allKeys = keys.reduce((sum, key) => sum + keyCost(leaves, key), 0)
  let sampleTarget = Math.max(budget * (1 - LIST_SHARE), budget - allKeys)
  let best: Sketch | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const chosen = selectLeaves(leaves, order, texts, sampleTarget)
    if (chosen.length === 0) {
      sampleTarget = Math.min(budget, sampleTarget * 2)
      continue
    }
    const sample = renderLeaves(leaves, chosen, (leaf) => texts.of(leaf))
    const left = budget - countUpTo(sample, budget * 2)
    const { list, isCut } = listKeys(leaves, keys, shownKeys(leaves, chosen), left)
    const text = withKeys(leaves, sample, list)
    const tokens = countUpTo(text, budget * 2)
    if (tokens <= budget && (best === undefined || tokens > best.tokens)) best = { text, chosen, tokens }
    if (tokens > budget) sampleTarget *= Math.min(0.95, (budget / tokens) * 0.97)
    else if (isCut || tokens > 0.95 * budget || chosen.length === leaves.count) break
    else sampleTarget += budget - tokens
  }
  return best
}

/** Odd values with record names, one example per path, then more. */
function exampleOrder(leaves: JsonLeaves, columns: Columns): Iterable<number> {
  const ranks = new Float64Array(leaves.count)
  const depths = pathDepths(leaves)
  for (let path = 0; path < columns.count; path++) {
    let examples = 0
    for (const leaf of columns.of(path)) {
      const rank = 1 / (1 + examples) - 0.001 * Math.min(depths[path] ?? 0, 100)
      ranks[leaf] = rank - (isEmpty(leaves, leaf) && examples === 0 ? 0.4 : 0)
      if (!isEmpty(leaves, leaf)) examples++
    }
  }
  const oddities = findOddities(leaves, columns).sort((a, b) => b.strength - a.strength || a.leaf - b.leaf)
  for (const { leaf, strength } of oddities.slice(0, ODDITIES)) ranks[leaf] = 2 + strength
  return bestFirst(ranks)
}

function pathDepths(leaves: JsonLeaves): number[] {
  const depths: number[] = []
  for (let path = 0; path < leaves.pathCount; path++)
    depths.push((depths[leaves.pathParents[path] ?? -1] ?? -1) + 1)
  return depths
}

/** Nearest to the root and commonest first. */
function rankKeys(leaves: JsonLeaves): number[] {
  const { document } = leaves
  const size = document.keyNames.length
  const uses = new Int32Array(size)
  const depths = new Int32Array(size).fill(1000)
  const pathDepth = pathDepths(leaves)
  for (let node = document.root; node < document.count; node++) {
    const key = keyOf(document, node)
    if (key < 0) continue
    // Map ids describe structure less than field names: last.
    if ((leaves.pathKeys[leaves.paths[node] ?? 0] ?? 0) >= 0) uses[key]!++
    depths[key] = Math.min(depths[key] ?? 0, pathDepth[leaves.paths[node] ?? 0] ?? 0)
  }
  const rank = (key: number): number =>
    uses[key] === 0 ? 1000 : (depths[key] ?? 0) - Math.log2(1 + (uses[key] ?? 0))
  return Array.from(uses, (_, key) => key).sort((a, b) => rank(a) - rank(b) || a - b)
}

/** Exact in lists: quotes restart the tokenizer. */
const keyCost = (leaves: JsonLeaves, key: number): number =>
  countTokens(`",${leaves.document.keyTexts[key] ?? ''}`) - 1

function shownKeys(leaves: JsonLeaves, chosen: readonly number[]): Set<number> {
  const { document } = leaves
  const shown = new Set<number>()
  const seen = new Set<number>()
  for (const leaf of chosen)
    for (let node = leaves.nodes[leaf] ?? -1; node >= 0 && !seen.has(node); node = parentOf(document, node)) {
      seen.add(node)
      shown.add(keyOf(document, node))
    }
  return shown
}

/** Keys not shown yet, as a JSON list in document order, as many as fit. */
function listKeys(leaves: JsonLeaves, ranked: readonly number[], shown: ReadonlySet<number>, budget: number) {
  const { keyTexts } = leaves.document
  const wanted = ranked.filter((key) => !shown.has(key))
  if (wanted.length === 0) return { list: '', isCut: false }
  const print = (count: number): string => {
    const names = wanted.slice(0, count).sort((a, b) => a - b)
    const rest = wanted.length - count
    return `[${names.map((key) => keyTexts[key] ?? '""').join(',')}${rest > 0 ? `,"… ${rest} more"` : ''}]`
  }
  let left = budget - countTokens(`{${OTHER_KEYS}:["… 100 more"],`)
  let count = 0
  for (; count < wanted.length; count++) {
    left -= keyCost(leaves, wanted[count] ?? 0)
    if (left < 0) break
  }
  return { list: count === 0 ? '' : print(count), isCut: count < wanted.length }
}

/** As a member, element or line, so that the whole stays JSON. */
function withKeys({ document }: JsonLeaves, sample: string, list: string): string {
  if (list === '') return sample
  if (document.root === 0) return `{${OTHER_KEYS}:${list}}\n${sample}`
  const member = `${OTHER_KEYS}:${list}`
  if (sample.startsWith('[')) return `[{${member}}${sample === '[]' ? '' : ','}${sample.slice(1)}`
  return `{${member}${sample === '{}' ? '' : ','}${sample.slice(1)}`
}
