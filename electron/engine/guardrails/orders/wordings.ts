/** Part of an address, a path, the name of a file or an identifier: what it is called says nothing of an order. */
const NAME = /@|:\/\/|[a-z0-9]\.[a-z]|[/\\_]\w/
const WORD = /\p{L}+(?:['’]\p{L}+)?/gu
const PLAIN_WORD = /[a-z]+(?:'[a-z]+)?/g
// oxlint-disable-next-line no-control-regex -- everything that is not ASCII
const NOT_ASCII = /[^\0-\x7f]/
/** Stands for any name. */
const SOME_NAME = '<name>'
const MOST_WORDS = 80
/** Characters: a sentence is cut there anyway, but a word may be longer. */
const LONGEST = 600

function wordsOf(sentence: string): string[] {
  const text = sentence.slice(0, LONGEST).toLowerCase()
  const pattern = NOT_ASCII.test(text) ? WORD : PLAIN_WORD
  if (!NAME.test(text)) return text.match(pattern) ?? []
  return text
    .split(/\s+/)
    .flatMap((part): readonly string[] => (NAME.test(part) ? [SOME_NAME] : (part.match(pattern) ?? [])))
}

/** The words of a sentence, and each two in a row, as features by what they are: it tells more than classes of words. */
export function wordingsOf(sentence: string): Set<string> {
  const words = wordsOf(sentence)
  const found = new Set<string>()
  for (let i = 0; i < words.length && i < MOST_WORDS; i++) {
    const word = words[i] ?? ''
    if (word !== SOME_NAME) found.add(word)
    if (i > 0) found.add(`${words[i - 1]} ${word}`)
  }
  return found
}

/** What wordings of a sentence say for or against an order. */
export interface WordingWeights {
  /** Of all wordings of the sentence together. */
  readonly sumOf: (sentence: string) => number
  /** All of them count at most so much, for or against: padding with other words hides little. */
  readonly most: number
}

/** More words than `wordingsOf` can tell apart as pairs of numbers. */
const MOST_KNOWN = 1 << 16

/** `weights` by what `wordingsOf` finds. */
export function createWordingWeights(
  weights: Readonly<Record<string, number>>,
  most: number,
): WordingWeights {
  const ids = new Map<string, number>()
  const idOf = (word: string): number => {
    const id = ids.get(word) ?? ids.size + 1
    ids.set(word, id)
    return id
  }
  const byKey = new Map<number, number>()
  for (const [name, weight] of Object.entries(weights)) {
    const [first = '', second] = name.split(' ')
    byKey.set(idOf(first) + (second === undefined ? 0 : idOf(second) * MOST_KNOWN), weight)
  }
  if (ids.size >= MOST_KNOWN) throw new Error('The guard has weights for too many words.')
  return {
    most,
    sumOf: (sentence) => {
      const words = wordsOf(sentence)
      const seen = new Set<number>()
      let sum = 0
      const add = (key: number): void => {
        const weight = byKey.get(key)
        if (weight === undefined || seen.has(key)) return
        seen.add(key)
        sum += weight
      }
      let last = 0
      for (let i = 0; i < words.length && i < MOST_WORDS; i++) {
        const id = ids.get(words[i] ?? '') ?? 0
        if (id > 0) add(id)
        if (id > 0 && last > 0) add(last + id * MOST_KNOWN)
        last = id
      }
      return Math.max(-most, Math.min(most, sum))
    },
  }
}
