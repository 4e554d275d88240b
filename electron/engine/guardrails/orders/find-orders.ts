import { featuresOfText, mayOrder, MOST_COLUMNS, putFeatures } from './features.ts'
import type { OrderModel } from './order-model.ts'
import { closerMarks } from './closer-marks.ts'
import type { SentenceReading } from './read-sentences.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

/** A sentence that may tell a model what to do. */
export interface Order {
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Of an attack, 0 to 1. */
  readonly probability: number
  /** Columns of features.ts. */
  readonly features: readonly number[]
}

export interface FindOrdersOptions {
  /** Of the texts that were decoded, or whose letters were exchanged. */
  readonly isDisguised?: boolean
  /** Less probable ones are left out. */
  readonly least?: number
  /** From `readSentences`. */
  readonly reading?: SentenceReading | undefined
}

/** Of the sentence that is judged: written again for each. */
const columns = new Uint16Array(MOST_COLUMNS)
const LEAST = 0.1
const MOST = 8

/** The most probable orders, best first. Linear time. */
export function findOrders(
  text: string,
  model: OrderModel,
  { isDisguised = false, least = LEAST, reading }: FindOrdersOptions = {},
): Order[] {
  const sentences = reading?.sentences ?? sentencesOf(text, model.words)
  const candidates = candidatesIn(sentences)
  if (candidates.length === 0) return []
  const stretches = featuresOfStretches(sentences, isDisguised)
  const sums = stretches.map((shared) => sum(shared, shared.length, model) + model.bias)
  const fewest = Math.log(least / (1 - least))
  const strongest = new Float64Array(1 + blockOf(sentences.at(-1) ?? FIRST)).fill(-Infinity)
  const found: Judged[] = []
  for (const index of candidates) {
    const sentence = sentences[index]
    if (!sentence) continue
    let marks = reading?.closer[index] ?? Number.NaN
    if (Number.isNaN(marks)) marks = closerMarks(text, sentence)
    if (reading) reading.closer[index] = marks
    const count = putFeatures(columns, sentences, index, (sentence.marks | marks) >>> 0)
    const stretch = stretchOf(sentence)
    const margin = (sums[stretch] ?? 0) + sum(columns, count, model)
    // Whatever its words, it stays below.
    if (margin + model.wordings.most < fewest) continue
    let words = reading?.wordings[index] ?? Number.NaN
    if (Number.isNaN(words)) words = model.wordings.sumOf(text, sentence.start, sentence.end)
    if (reading) reading.wordings[index] = words
    if (margin + words < fewest) continue
    const { start, end } = sentence
    const own = columns.slice(0, count)
    found.push({ start, end, margin: margin + words, own, stretch })
    const block = blockOf(sentence)
    strongest[block] = Math.max(strongest[block] ?? -Infinity, margin + words)
    if (found.length > MOST * 2) keepBest(found)
  }
  const chance = Math.max(0, Math.log(sentences.length / MOST_SENTENCES))
  return keepBest(found)
    .map(({ start, end, margin, own, stretch }) => ({
      start,
      end,
      probability: 1 / (1 + Math.exp(chance - amongOthers(margin, strongest))),
      features: [...own, ...(stretches[stretch] ?? [])],
    }))
    .filter(({ probability }) => probability >= least)
}

/** Above this, chance makes one sentence read like an order: the odds are divided by the ratio. */
const MOST_SENTENCES = 2000

/** Of the logarithm of odds, for each time as many blocks. */
const OF_EACH_FOLD = 1
/** Characters: an attack in one place fills few. */
const BLOCK = 2000

export const blockOf = ({ start }: Pick<Sentence, 'start'>): number => Math.floor(start / BLOCK)

/**
 * The margin of the strongest of several blocks: where other parts of a text read nearly as much like an order, that
 * is how the text is written, and chance alone makes one of them the strongest. `strongest`: of each block.
 */
export function amongOthers(margin: number, strongest: ArrayLike<number>): number {
  if (margin === -Infinity) return margin
  let alike = 0
  for (let i = 0; i < strongest.length; i++)
    alike += Math.min(1, Math.exp((strongest[i] ?? -Infinity) - margin))
  return margin - OF_EACH_FOLD * Math.log(Math.max(1, alike))
}

/** Characters of a text that are judged together: counts over more would grow with its length. */
const STRETCH = 20_000

export const stretchOf = ({ start }: Pick<Sentence, 'start'>): number => Math.floor(start / STRETCH)

/** The columns that all sentences of a stretch share, by its number. */
export function featuresOfStretches(sentences: readonly Sentence[], isDisguised: boolean): number[][] {
  const count = 1 + stretchOf(sentences.at(-1) ?? FIRST)
  let from = 0
  return Array.from({ length: count }, (_, stretch) => {
    let to = from
    while (stretchOf(sentences[to] ?? BEYOND) <= stretch) to++
    const features = featuresOfText(sentences, isDisguised, from, to)
    from = to
    return features
  })
}
const FIRST = { start: 0 }
const BEYOND = { start: Infinity }

export function candidatesIn(sentences: readonly Sentence[]): number[] {
  const found: number[] = []
  for (let index = 0; index < sentences.length; index++) {
    const sentence = sentences[index]
    if (sentence && mayOrder(sentence)) found.push(index)
  }
  return found
}

function sum(columns: ArrayLike<number>, count: number, { weights }: OrderModel): number {
  let total = 0
  for (let i = 0; i < count; i++) total += weights[columns[i] ?? 0] ?? 0
  return total
}

interface Judged extends Pick<Order, 'start' | 'end'> {
  readonly margin: number
  readonly own: Uint16Array
  readonly stretch: number
}

function keepBest(found: Judged[]): Judged[] {
  found.sort((a, b) => b.margin - a.margin)
  found.length = Math.min(found.length, MOST)
  return found
}
