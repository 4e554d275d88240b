import { factsOf, missingFacts, type Fact } from './facts.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    /** The part supported by the source. */
    'check-answer': (input: AnswerToCheck) => Promise<CheckedAnswer>
  }
}

export interface AnswerToCheck {
  readonly answer: string
  readonly source: string
  readonly read: readonly string[]
  readonly asJson: boolean
}

export type CheckedAnswer =
  | { readonly text: string; readonly removed: number }
  /** For the ledger: "the answer …". */
  | { readonly fault: string }

/** Share of the answer's longer words that occur in the text. */
const LEAST_KNOWN_WORDS = 0.3
/** Share of distinct words in long answers, because small models loop. */
const LEAST_DIFFERENT = 0.2

/**
 * Removes sentences and lines with an identifier, number, URL, path or quote that the source lacks; if that is half
 * of them, rejects the answer.
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

const unitsOf = (text: string): { text: string; isLast: boolean }[] =>
  text.split('\n').flatMap((line) => {
    const sentences = line.split(SENTENCE_END)
    return sentences.map((sentence, index) => ({ text: sentence, isLast: index === sentences.length - 1 }))
  })

function faultOfWords(answer: string, read: readonly string[]): string | undefined {
  const words = answer.toLowerCase().match(/\p{L}{2,}/gu) ?? []
  if (words.length >= 40 && new Set(words).size < words.length * LEAST_DIFFERENT) return 'repeats itself'
  const telling = new Set(tellingWords(answer))
  // Numbers and identifiers are checked one by one.
  if (telling.size < 3) return undefined
  const known = new Set(read.flatMap((text) => [...tellingWords(text)]))
  const found = [...telling].filter((word) => known.has(word)).length
  return found < telling.size * LEAST_KNOWN_WORDS ? 'has little to do with the source' : undefined
}

/** Word stems ("shipped", "shipping", "shipment" begin alike); character pairs for scripts without spaces. */
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
