/** Part of an address, a path, the name of a file or an identifier: what it is called says nothing of an order. */
const NAME = /@|:\/\/|[a-z0-9]\.[a-z]|[/\\_]\w/
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu
/** Chinese characters and kana have no spaces between words: each two in a row count as one. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff]/
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

/** What wordings of a sentence say for or against an order. */
export interface WordingWeights {
  /** Of all wordings of the sentence together. */
  readonly sumOf: (sentence: string) => number
  /** All of them count at most so much, for or against: padding with other words hides little. */
  readonly most: number
}

/** Open addressing, because filling a Map of as many strings takes ten times as long. */
interface WeightTable {
  /** Hashes of wordings; 0 where a slot is empty. */
  readonly keys: Float64Array
  readonly weights: Float64Array
}

/** A power of two that leaves most slots empty. */
const SLOTS = 1 << 17
const UPPER_HALF = 2 ** 32
const UPPER_BITS = (1 << 21) - 1
const HASH_START = 0x811c9dc5

/** Of 53 bits; `start` is the hash of what precedes the text. */
function hashOf(text: string, from: number, to: number, start = HASH_START): number {
  let lower = start | 0
  let upper = (start / UPPER_HALF) | 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    lower = Math.imul(lower ^ code, 0x01000193)
    upper = Math.imul(upper + code, 0x0019660d) & UPPER_BITS
  }
  return upper * UPPER_HALF + (lower >>> 0)
}

function slotOf(keys: Float64Array, hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  while (keys[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (SLOTS - 1)
  return slot
}

/** Of lines `WEIGHT WORDING`. */
function readTable(lines: string): WeightTable {
  const table = { keys: new Float64Array(SLOTS), weights: new Float64Array(SLOTS) }
  let count = 0
  for (let start = 0, end; start < lines.length; start = end + 1) {
    end = lines.indexOf('\n', start)
    const name = lines.indexOf(' ', start) + 1
    const weight = Number(lines.slice(start, name))
    if (++count > SLOTS / 2 || end < 0 || name === 0 || name >= end || Number.isNaN(weight))
      throw new Error(
        `line ${count} of the guard's wordings isn't a weight and a wording, or is one too many`,
      )
    const hash = hashOf(lines, name, end)
    const slot = slotOf(table.keys, hash)
    table.keys[slot] = hash
    table.weights[slot] = weight
  }
  return table
}

/** As `createWordingWeights` reads them. */
export const weightLines = (weights: Readonly<Record<string, number>>): string =>
  Object.entries(weights)
    .map(([name, weight]) => `${weight} ${name}\n`)
    .join('')

/** `lines` are the weights of what `wordingsOf` finds. */
export function createWordingWeights(lines: string, most: number): WordingWeights {
  const { keys, weights } = readTable(lines)
  return {
    most,
    sumOf: (sentence) => {
      const words = wordsOf(sentence)
      const seen = new Set<number>()
      let sum = 0
      const add = (hash: number): void => {
        const slot = slotOf(keys, hash)
        if (keys[slot] === 0 || seen.has(slot)) return
        seen.add(slot)
        sum += weights[slot] ?? 0
      }
      let last = 0
      for (let i = 0; i < words.length && i < MOST_WORDS; i++) {
        const word = words[i] ?? ''
        const hash = hashOf(word, 0, word.length)
        add(hash)
        if (i > 0) add(hashOf(word, 0, word.length, hashOf(' ', 0, 1, last)))
        last = hash
      }
      return Math.max(-most, Math.min(most, sum))
    },
  }
}
