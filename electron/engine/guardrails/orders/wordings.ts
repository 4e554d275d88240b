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
