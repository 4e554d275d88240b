import { factsOf, missingFacts, type Fact } from './facts.ts'

export interface AnswerToCheck {
  readonly answer: string
  /** The whole source. */
  readonly source: string
  /** What the model read of it, and the goal: a fact that stands there is not its invention. */
  readonly read: readonly string[]
  /** JSON has to be whole: nothing is taken out of it. */
  readonly asJson: boolean
}

export type CheckedAnswer =
  | { readonly text: string; readonly removed: number }
  /** Why it must not go out, in words for the ledger: "the answer …". */
  | { readonly fault: string }

/** Of the answer's longer words, this share has to be words of the text. */
const LEAST_KNOWN_WORDS = 0.3
/** Of long answers, this share of the words has to be different ones: small models get caught in circles. */
const LEAST_DIFFERENT = 0.2

/**
 * What of an answer its source supports. Sentences and lines that name an identifier, a number, a URL, a path or a quote
 * that the source does not hold are taken out; when that is half of them, nothing of the answer is trusted.
 */
export function checkAnswer({ answer, source, read, asJson }: AnswerToCheck): CheckedAnswer {
  const nonsense = faultOfWords(answer, read)
  if (nonsense !== undefined) return { fault: nonsense }
  const texts = [...read, source]
  if (asJson) return checkJson(answer, texts)
  const units = unitsOf(answer)
  const facts = units.map(({ text }) => factsOf(text))
  const missing = new Set(missingFacts(facts.flat(), texts).map(nameOf))
  const isSupported = (index: number): boolean =>
    !(facts[index] ?? []).some((fact) => missing.has(nameOf(fact)))
  const kept = units.filter((_, index) => isSupported(index))
  const removed = units.length - kept.length
  if (kept.length === 0 || removed * 2 > units.length) {
    return { fault: `names what the source does not hold (${removed} of ${units.length} sentences)` }
  }
  if (removed === 0) return { text: answer, removed }
  const text = kept
    .map((unit, index) => unit.text + (index === kept.length - 1 ? '' : unit.isLast ? '\n' : ' '))
    .join('')
  return { text, removed }
}

const nameOf = ({ kind, text }: Fact): string => `${kind} ${text}`

function checkJson(answer: string, texts: readonly string[]): CheckedAnswer {
  try {
    JSON.parse(answer)
  } catch {
    return { fault: 'is no JSON, as the source is' }
  }
  const missing = missingFacts(answer.split('\n').flatMap(factsOf), texts)
  return missing.length === 0
    ? { text: answer, removed: 0 }
    : { fault: `names what the source does not hold (${missing.length} values)` }
}

const SENTENCE_END =
  /(?<=[.!?]["')\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|ca|approx|no|dr|mrs?|ms|prof|st|jr|sr|inc|ltd|corp|dept|fig|nr|\p{L})\.)\s+/iu

/** Lines, and in lines sentences; `isLast` of its line. */
const unitsOf = (text: string): { text: string; isLast: boolean }[] =>
  text.split('\n').flatMap((line) => {
    const sentences = line.split(SENTENCE_END)
    return sentences.map((sentence, index) => ({ text: sentence, isLast: index === sentences.length - 1 }))
  })

function faultOfWords(answer: string, read: readonly string[]): string | undefined {
  const words = answer.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  if (words.length >= 40 && new Set(words).size < words.length * LEAST_DIFFERENT) return 'repeats itself'
  const telling = new Set(tellingWords(answer))
  // Numbers and identifiers alone are looked up one by one.
  if (telling.size < 3) return undefined
  const known = new Set(read.flatMap((text) => [...tellingWords(text)]))
  const found = [...telling].filter((word) => known.has(word)).length
  return found < telling.size * LEAST_KNOWN_WORDS ? 'has little to do with the source' : undefined
}

/** "shipped", "shipping" and "shipment" begin alike; scripts without spaces give pairs of characters. */
function* tellingWords(text: string): Generator<string> {
  for (const [word] of text
    .toLowerCase()
    .replaceAll(RUNS, ' ')
    .matchAll(/\p{L}{4,}/gu))
    yield word.slice(0, 5)
  for (const [, pair = ''] of text.matchAll(UNSPACED)) yield pair
}

const UNSPACED = /(?=([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}))/gu
const RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu
