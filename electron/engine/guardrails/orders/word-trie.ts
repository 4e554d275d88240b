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

/** Of the words and stems in a to z; the others are left out. `entryOf` gives what a word means. */
export function createWordTrie<Entry>(
  words: Iterable<string>,
  stems: Iterable<string>,
  entryOf: (word: string, isWhole: boolean) => Entry,
): WordTrie<Entry> {
  const children: Map<number, number>[] = [new Map(), new Map()]
  const spelled: string[] = ['', '']
  const add = (word: string): void => {
    if (!IS_PLAIN.test(word)) return
    let node = 1
    for (let i = 0; i < word.length; i++) {
      const letter = word.charCodeAt(i) - A
      let to = children[node]?.get(letter)
      if (to === undefined) {
        to = children.length
        children[node]?.set(letter, to)
        children.push(new Map())
        spelled.push(word.slice(0, i + 1))
      }
      node = to
    }
  }
  for (const word of words) add(word)
  for (const stem of stems) add(stem)
  if (children.length > MOST_NODES) throw new Error('The word lists have too many words.')
  const next = new Uint16Array(children.length * LETTERS)
  children.forEach((to, node) => {
    for (const [letter, child] of to) next[node * LETTERS + letter] = child
  })
  return {
    root: 1,
    next,
    ends: spelled.map((word) => entryOf(word, true)),
    passes: spelled.map((word) => entryOf(word, false)),
  }
}
