import { factorOf } from '../../text/words/units.ts'
import type { LineKind } from './line-kind.ts'
import { marksBefore, wordsOfKind } from './mask-line.ts'

/** Such a place is variable: users, hosts, files without digits. */
const VALUES_OF_A_VARIABLE = 4
const MOST_WORDS = 60
const FEWEST_WORDS = 3
const MOST_SAMPLES = 24
/** More kinds are no log's. */
const MOST_KINDS = 10_000
/** Counts of keys, by their remainder: a prime. */
const SEEN = 65_521

/**
 * Merges kinds that begin with the same marks and whose words differ in one place only, when that place has many values, which digit
 * masking can't detect (after Brain's position entropy and Drain's groups of equal length). `places`: by kind, where it is then.
 */
export function mergeKinds(kinds: readonly LineKind[], message: (kind: number) => string) {
  const messages = kinds.length > MOST_KINDS ? [] : kinds.map((_, kind) => message(kind))
  const words = messages.map(wordsOfKind)
  // Few keys come often enough to be worth a group.
  const seen = new Uint32Array(SEEN)
  const keys = words.map((own, kind) => {
    if (own.length < FEWEST_WORDS || own.length > MOST_WORDS) return []
    const { level, isContinuation } = kinds[kind]!
    const hashes = own.map(hashAt)
    const marks = hashAt(marksBefore(messages[kind]!), MOST_WORDS)
    const all = hashes.reduce((a, b) => a + b, marks + own.length * 16 + level * 2 + Number(isContinuation))
    return hashes.map((hash, place) => {
      const key = (all - hash) * MOST_WORDS + place
      if (own[place] === '*') return -1
      seen[key % SEEN]!++
      return key
    })
  })
  const groups = new Map<number, number[]>()
  for (const [kind, own] of keys.entries())
    for (const key of own) {
      if (key < 0 || seen[key % SEEN]! < VALUES_OF_A_VARIABLE) continue
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [kind])
      else group.push(kind)
    }
  const into = kinds.map((_, kind) => kind)
  for (const [key, members] of groups) {
    const [first = 0, ...others] = members.filter((kind) => into[kind] === kind)
    if (others.length + 1 < VALUES_OF_A_VARIABLE) continue
    // What varies everywhere makes no kind: "ℹ pass 40", "ℹ fail 1", "Cached: 12 kB".
    if (!words[first]!.some((_, i) => i !== key % MOST_WORDS && namesKind(words[first]!, i))) continue
    for (const kind of others) into[kind] = first
  }
  const merged: LineKind[] = []
  const places = new Uint32Array(kinds.length)
  for (const [kind, own] of kinds.entries()) {
    const known = into[kind] === kind ? undefined : merged[places[into[kind]!]!]
    places[kind] = known === undefined ? merged.push(own) - 1 : places[into[kind]!]!
    if (known !== undefined)
      merged[places[kind]] = {
        ...known,
        last: Math.max(known.last, own.last),
        count: known.count + own.count,
        isVaried: true,
        severity: Math.max(known.severity, own.severity),
        samples: [...known.samples, ...own.samples.slice(0, 2)].slice(0, MOST_SAMPLES),
      }
  }
  return { kinds: merged, places }
}

/** A word, and not the unit of a number before it. */
const namesKind = (words: readonly string[], i: number): boolean =>
  /\p{L}{2}/u.test(words[i]!) && (words[i - 1] !== '*' || factorOf(words[i]!) === undefined)

/** 39 bits, so that sums of many and their places are exact. */
function hashAt(word: string, place: number): number {
  let high = 0x811c9dc5 ^ place
  let low = place
  for (let i = 0; i < word.length; i++) {
    high = Math.imul(high ^ word.charCodeAt(i), 0x01000193)
    low = (low * 31 + word.charCodeAt(i)) & 127
  }
  return (high >>> 0) * 128 + low
}
