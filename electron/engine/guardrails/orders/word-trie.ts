/** Reads words letter by letter, so that the many that mean nothing cost no string. */
export interface WordTrie<Entry> {
  /** Of the first letter. */
  readonly root: number
  /** By node * LETTERS + letter (0 for a); 0 where no word goes on. */
  readonly next: Uint16Array
  /** Of a word that ends at the node. */
  readonly ends: readonly Entry[]
  /** Of a word whose next letter has no node. */
  readonly passes: readonly Entry[]
}

export const LETTERS = 26
const A = 97
const IS_PLAIN = /^[a-z]+$/
const MOST_NODES = 0xffff
const FIRST_NODES = 1 << 12

/**
 * Of the words and stems in a to z; the others are left out. `entryOf` gives what a word means that has the bits of all
 * stems it begins with, and of '' what other words with these bits mean.
 */
export function createWordTrie<Entry>(
  words: Iterable<string>,
  stems: Iterable<readonly [stem: string, bits: number]>,
  entryOf: (word: string, bits: number) => Entry,
): WordTrie<Entry> {
  let next = new Uint16Array(LETTERS * FIRST_NODES)
  // No node is 0. A node comes after that of its beginning.
  const parents = [0, 0]
  const nodeOf = (word: string): number => {
    let node = 1
    for (let i = 0; i < word.length; i++) {
      const at = node * LETTERS + word.charCodeAt(i) - A
      node = next[at] ?? 0
      if (node > 0) continue
      node = parents.push(Math.floor(at / LETTERS)) - 1
      if (parents.length * LETTERS > next.length) {
        const longer = new Uint16Array(next.length * 2)
        longer.set(next)
        next = longer
      }
      next[at] = node
    }
    return node
  }
  const byNode = new Map<number, string>()
  for (const word of words) if (IS_PLAIN.test(word)) byNode.set(nodeOf(word), word)
  const own = new Map<number, number>()
  for (const [stem, bits] of stems) if (IS_PLAIN.test(stem)) own.set(nodeOf(stem), bits)
  if (parents.length > MOST_NODES) throw new Error('The word lists have too many words.')

  const bits = new Uint32Array(parents.length)
  const unnamed = new Map<number, Entry>()
  const passes = parents.map((parent, node) => {
    const all = ((bits[parent] ?? 0) | (own.get(node) ?? 0)) >>> 0
    bits[node] = all
    const entry = unnamed.get(all) ?? entryOf('', all)
    unnamed.set(all, entry)
    return entry
  })
  const ends = [...passes]
  for (const [node, word] of byNode) ends[node] = entryOf(word, bits[node] ?? 0)
  return { root: 1, next: next.slice(0, parents.length * LETTERS), ends, passes }
}
