import { leavesOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'
import type { Naming } from './naming.ts'

const SEEDS = 3
/** Of the best record's fit. */
const SEED_SHARE = 0.5
const LONGEST_TEXT = 6000
const SHORTEST_NAME = 4
const LETTER = /[\p{L}\p{N}]/u
/** For a name's first and last word close together ("Carter … Williams"). */
const PARTIAL = 0.7
const GAP = 26

/**
 * Questions over two records: one of the best records mentions another's name, whose record has the answer. By record,
 * 0 to 1.
 */
export function findBridges(
  leaves: JsonLeaves,
  naming: Naming,
  fits: Float32Array,
): Map<number, number> | undefined {
  if (leaves.records.length < 3) return undefined
  const seeds = bestRecords(leaves, fits)
  if (seeds.length === 0) return undefined
  const names = new Map<number, string>()
  const uses = new Map<string, number>()
  for (const record of leaves.records) {
    const leaf = naming[record] ?? -1
    const name = leaf < 0 ? '' : clean(valueOf(leaves.document, leaves.nodes[leaf] ?? 0))
    if (name.length < SHORTEST_NAME) continue
    names.set(record, name)
    uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  const best = fits[seeds[0] ?? 0] ?? 1
  const found = new Map<number, number>()
  for (const seed of seeds) {
    const text = textOf(leaves, seed)
    const words = new Set(text.match(/[\p{L}\p{N}]+/gu))
    for (const [record, name] of names) {
      if (record === seed || (uses.get(name) ?? 0) > 1) continue
      if (!words.has(/[\p{L}\p{N}]+/u.exec(name)?.[0] ?? '')) continue
      const strength = ((fits[seed] ?? 0) / best) * mentions(text, name)
      if (strength > (found.get(record) ?? 0)) found.set(record, strength)
    }
  }
  return found
}

function bestRecords(leaves: JsonLeaves, fits: Float32Array): number[] {
  const best: number[] = []
  for (const record of leaves.records) {
    const fit = fits[record] ?? 0
    if (fit <= 0 || (best.length === SEEDS && fit <= (fits[best[SEEDS - 1] ?? 0] ?? 0))) continue
    let at = best.length
    while (at > 0 && fit > (fits[best[at - 1] ?? 0] ?? 0)) at--
    best.splice(at, 0, record)
    if (best.length > SEEDS) best.pop()
  }
  const top = fits[best[0] ?? 0] ?? 0
  return best.filter((record) => (fits[record] ?? 0) > SEED_SHARE * top)
}

/** Lower-case, without a trailing "(film)". */
function clean(name: string): string {
  const lower = name.toLowerCase()
  return (lower.endsWith(')') ? lower.replace(/\s*\([^)]*\)$/, '') : lower).trim()
}

function textOf(leaves: JsonLeaves, record: number): string {
  const [first, end] = leavesOf(leaves, record)
  let text = ''
  for (let leaf = first; leaf < end && text.length < LONGEST_TEXT; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(leaves.document, node)
    if (kind === NODE.string || kind === NODE.text) text += ` ${valueOf(leaves.document, node)}`
  }
  return text.toLowerCase()
}

function mentions(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!LETTER.test(text[at - 1] ?? '') && !LETTER.test(text[at + name.length] ?? '')) return 1
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const first = words[0]
  const last = words.at(-1)
  if (words.length < 2 || first === undefined || last === undefined) return 0
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const window = text.slice(at + first.length, at + first.length + GAP + last.length)
    const next = window.indexOf(last)
    if (next > 0 && !window.slice(0, next).includes('.')) return PARTIAL
  }
  return 0
}
