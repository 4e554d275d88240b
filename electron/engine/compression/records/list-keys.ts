import { countTokens } from '../../text/tokens/count-tokens.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { isLikeMap } from '../tree/is-like-map.ts'
import {
  endOf,
  keyOf,
  kindOf,
  NODE,
  parentOf,
  type JsonDocument,
  shownNameOf,
} from '../../text/tree/json-document.ts'

/** Names of fields that aren't shown, in the order of `rankKeys`, in at most `budget` tokens. As in the source: quoted in JSON, a section of settings in brackets. */
export function listKeys(
  leaves: JsonLeaves,
  ranked: readonly number[],
  chosen: readonly number[],
  budget: number,
  format: string,
): string {
  const { document } = leaves
  const shown = new Uint8Array(document.keyNames.length + 1)
  const seen = new Uint8Array(document.count)
  for (const leaf of chosen)
    for (
      let node = leaves.nodes[leaf] ?? -1;
      node >= 0 && seen[node] === 0;
      node = parentOf(document, node)
    ) {
      seen[node] = 1
      const key = keyOf(document, node)
      if (key >= 0) shown[key] = 1
    }
  const isJson = format.startsWith('json')
  const sections = /^(?:settings|toml)$/.test(format) ? sectionsOf(document) : new Set<number>()
  const names: string[] = []
  let left = budget - countTokens('Other keys: and 1,000 more')
  const wanted = ranked.filter((key) => shown[key] === 0 && shownNameOf(document, key) !== '')
  for (const key of wanted) {
    const name = isJson ? (document.keyTexts[key] ?? '') : plainName(document, key, sections)
    left -= countTokens(`,${name}`)
    if (left < 0) break
    names.push(name)
  }
  const rest = wanted.length - names.length
  return names.length === 0 ? '' : `Other keys: ${names.join(',')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const plainName = (document: JsonDocument, key: number, sections: ReadonlySet<number>): string =>
  sections.has(key) ? `[${shownNameOf(document, key)}]` : shownNameOf(document, key)

/** Keys of the root's objects. */
function sectionsOf(document: JsonDocument): Set<number> {
  const sections = new Set<number>()
  for (let node = document.root + 1; node < document.count; node = endOf(document, node))
    if (kindOf(document, node) === NODE.object) sections.add(keyOf(document, node))
  return sections
}

/** Of paths, from the root. */
export function depthsOf(parents: readonly number[]): number[] {
  const depths: number[] = []
  for (const parent of parents) depths.push((depths[parent] ?? -1) + 1)
  return depths
}

/** Nearest to the root and commonest first. Map ids describe structure less than field names: left out. */
export function rankKeys(leaves: JsonLeaves): number[] {
  const { document } = leaves
  const uses = new Int32Array(document.keyNames.length)
  const depths = new Int32Array(document.keyNames.length).fill(1000)
  const pathDepths = depthsOf(leaves.pathParents)
  const maps = new Set<number>()
  for (let node = document.root; node < document.count; node++) {
    if (kindOf(document, node + 1) > NODE.array && isLikeMap(document, node)) maps.add(node)
    if (maps.has(parentOf(document, node))) continue
    const key = keyOf(document, node)
    const path = leaves.paths[node] ?? 0
    if (key < 0 || (leaves.pathKeys[path] ?? 0) < 0) continue
    uses[key]!++
    depths[key] = Math.min(depths[key] ?? 0, pathDepths[path] ?? 0)
  }
  const rank = (key: number): number => (depths[key] ?? 0) - Math.log2(1 + (uses[key] ?? 0))
  const keys: number[] = []
  for (let key = 0; key < uses.length; key++) if ((uses[key] ?? 0) > 0) keys.push(key)
  return keys.sort((a, b) => rank(a) - rank(b) || a - b)
}
