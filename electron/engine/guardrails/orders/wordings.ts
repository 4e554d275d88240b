import { CLASSES, type WordClasses } from './word-classes.ts'

/** Part of an address, a path, the name of a file or an identifier: what it is called says nothing of an order. */
const NAME = /@|:\/\/|[a-z0-9]\.[a-z]|[/\\_]\w/
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu
/** Chinese characters and kana have no spaces between words: each two in a row count as one. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff]/
const PLAIN_WORD = /[a-z]+(?:'[a-z]+)?/g
// oxlint-disable-next-line no-control-regex -- everything that is not ASCII
const NOT_ASCII = /[^\0-\x7f]/
/** Stands for any name. */
export const SOME_NAME = '<name>'
export const MOST_WORDS = 80
/** Characters: a sentence is cut there anyway, but a word may be longer. */
export const LONGEST = 600

export function wordsOf(sentence: string): string[] {
  const text = sentence.slice(0, LONGEST).toLowerCase()
  const pattern = NOT_ASCII.test(text) ? WORD : PLAIN_WORD
  const words = !NAME.test(text)
    ? (text.match(pattern) ?? [])
    : text
        .split(/\s+/)
        .flatMap((part): readonly string[] => (NAME.test(part) ? [SOME_NAME] : (part.match(pattern) ?? [])))
  return pattern === WORD ? words.flatMap(pairsOfUnspaced) : words
}

const pairsOfUnspaced = (word: string): string | string[] =>
  word.length > 2 && UNSPACED.test(word)
    ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
    : word

/** Between two words whose classes count together, in words. */
export const REACH = 4

/** Of a word with this class, alone and before or behind others. */
export const classWording = (index: number): string => `<${CLASSES[index] ?? ''}>`
/** Of two classes of words in a row, or with up to three others between them. */
export const pairOfClasses = (first: number, second: number, distance: number): string =>
  `${classWording(first)} ${distance > 1 ? '.. ' : ''}${classWording(second)}`

/**
 * Features of a sentence: each word, each pair of neighbours, each pair with one word replaced by its classes (for words
 * that no training text has), and the ordered classes of two nearby words.
 */
export function wordingsOf(sentence: string, classes: Pick<WordClasses, 'entryOf'>): Set<string> {
  const words = wordsOf(sentence).slice(0, MOST_WORDS)
  const known = words.map((word) => (hasClasses(word) ? classesOf(classes.entryOf(word).bits) : []))
  const found = new Set<string>()
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const own = known[i] ?? []
    if (word !== SOME_NAME) found.add(word)
    if (i > 0) {
      found.add(`${words[i - 1]} ${word}`)
      for (const first of known[i - 1] ?? []) found.add(`${classWording(first)} ${word}`)
      for (const second of own) found.add(`${words[i - 1]} ${classWording(second)}`)
    }
    for (let distance = 1; distance <= REACH && distance <= i; distance++)
      for (const first of known[i - distance] ?? [])
        for (const second of own) found.add(pairOfClasses(first, second, distance))
  }
  return found
}

/** Two characters of a run are no word of the lists. */
export const hasClasses = (word: string): boolean => word !== SOME_NAME && !UNSPACED.test(word)

function classesOf(bits: number): number[] {
  const found: number[] = []
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
    found.push(31 - Math.clz32(rest & -rest))
  return found
}
