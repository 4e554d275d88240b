import type { LineKind } from './line-kind.ts'
import { wordsOfKind } from './mask-line.ts'

/** Such a place is variable: users, hosts, files without digits. */
const VALUES_OF_A_VARIABLE = 4
const MOST_WORDS = 60
const FEWEST_WORDS = 3
const ROUNDS = 2
const MOST_SAMPLES = 24

export interface MergedKinds {
  readonly kinds: readonly LineKind[]
  readonly newIndex: Uint32Array
}

/**
 * Merges kinds whose words differ in one place only, when that place has many values, which digit masking can't
 * detect (after Brain's position entropy and Drain's groups of equal length).
 */
export function mergeKinds(kinds: readonly LineKind[], message: (kind: number) => string): MergedKinds {
  const target = Uint32Array.from(kinds, (_, i) => i)
  if (kinds.length >= VALUES_OF_A_VARIABLE) {
    const words = kinds.map((_, kind) => wordsOfKind(message(kind)))
    for (let round = 0; round < ROUNDS; round++) if (!mergeOnce(kinds, words, target)) break
  }
  return renumber(kinds, target)
}

function mergeOnce(kinds: readonly LineKind[], words: string[][], target: Uint32Array): boolean {
  // By kind and place: a hash of the other words, the place and the word count.
  const keys: number[] = []
  const [ofKeys, places]: [kinds: number[], places: number[]] = [[], []]
  const seen = new Uint8Array(SEEN)
  const hashes = new Int32Array(MOST_WORDS)
  kinds.forEach(({ isContinuation, level }, kind) => {
    const own = words[kind] ?? []
    if (target[kind] !== kind || own.length < FEWEST_WORDS || own.length > MOST_WORDS) return
    let sum = (own.length * 8 + level + 1) * 2 + (isContinuation ? 1 : 0)
    let other = 0
    for (let i = 0; i < own.length; i++) {
      const hash = hashWord(own[i] ?? '')
      hashes[i] = hash
      sum = (sum + Math.imul(hash, placeFactor(i))) | 0
      other = (other + Math.imul(hash ^ OTHER, placeFactor(i + 71))) | 0
    }
    for (let i = 0; i < own.length; i++) {
      if (own[i] === '*') continue
      const hash = hashes[i] ?? 0
      const rest = Math.imul((sum - Math.imul(hash, placeFactor(i))) | 0, placeFactor(i + 200))
      const otherRest = (other - Math.imul(hash ^ OTHER, placeFactor(i + 71))) | 0
      const key = (rest >>> 0) * KEY_BITS + (Math.imul(otherRest, placeFactor(i + 300)) >>> 11)
      keys.push(key)
      ofKeys.push(kind)
      places.push(i)
      if (seen[key % SEEN]! < VALUES_OF_A_VARIABLE) seen[key % SEEN]!++
    }
  })
  // Few keys come often enough to be worth a group.
  const groups = new Map<number, { readonly place: number; readonly members: number[] }>()
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (seen[key % SEEN]! < VALUES_OF_A_VARIABLE) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { place: places[i]!, members: [ofKeys[i]!] })
    else group.members.push(ofKeys[i]!)
  }
  let merged = false
  for (const { place, members } of groups.values()) {
    if (members.length < VALUES_OF_A_VARIABLE) continue
    const alive = members.filter((kind) => target[kind] === kind)
    if (alive.length < VALUES_OF_A_VARIABLE) continue
    const [first = 0] = alive
    const own = words[first]
    // What varies everywhere makes no kind: "ℹ pass 40", "ℹ fail 1".
    if (!own?.some((word, i) => i !== place && /\p{L}{2}/u.test(word))) continue
    own[place] = '*'
    for (const kind of alive.slice(1)) target[kind] = first
    merged = true
  }
  return merged
}

const OTHER = 0x5bd1e995
/** Counts of keys, by their remainder: a prime. */
const SEEN = 16_381
/** A 53-bit integer's part above 32 bits. */
const KEY_BITS = 2 ** 21

const placeFactor = (place: number) => Math.imul(place + 1, 0x9e3779b1) | 1

function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash
}

function renumber(kinds: readonly LineKind[], target: Uint32Array): MergedKinds {
  const root = (kind: number): number => {
    let at = kind
    while (target[at] !== at) at = target[at] ?? at
    return at
  }
  const newIndex = new Uint32Array(kinds.length)
  const merged: LineKind[] = []
  kinds.forEach((kind, i) => {
    const at = root(i)
    if (at === i) {
      newIndex[i] = merged.length
      merged.push(kind)
      return
    }
    const into = newIndex[at] ?? 0
    newIndex[i] = into
    const known = merged[into]
    if (known)
      merged[into] = {
        ...known,
        last: Math.max(known.last, kind.last),
        count: known.count + kind.count,
        severity: Math.max(known.severity, kind.severity),
        samples: [...known.samples, ...kind.samples.slice(0, 2)].slice(0, MOST_SAMPLES),
      }
  })
  return { kinds: merged, newIndex }
}
