import { featuresOf, featuresOfText, hasDeed, mayOrder } from './features.ts'
import type { OrderModel } from './order-model.ts'
import { closerMarks, type Sentence, sentencesOf } from './sentences.ts'

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
}

const LEAST = 0.1
const MOST = 8

/** The most probable orders, best first. Linear time. */
export function findOrders(
  text: string,
  model: OrderModel,
  { isDisguised = false, least = LEAST }: FindOrdersOptions = {},
): Order[] {
  const sentences = sentencesOf(text, model.words)
  const candidates = candidatesIn(sentences)
  if (candidates.length === 0) return []
  const stretches = featuresOfStretches(sentences, isDisguised)
  const sums = stretches.map((shared) => sum(shared, model) + model.bias)
  const fewest = Math.log(least / (1 - least))
  const orders: Order[] = []
  for (const index of candidates) {
    const sentence = sentences[index]
    if (!sentence) continue
    const own = featuresOf(sentences, index, (sentence.marks | closerMarks(text, sentence)) >>> 0)
    // Who asks for nothing gives no order.
    if (!hasDeed(own)) continue
    const stretch = stretchOf(sentence)
    const margin = (sums[stretch] ?? 0) + sum(own, model)
    // Whatever its words, it stays below.
    if (margin + model.wordings.most < fewest) continue
    const words = model.wordings.sumOf(text.slice(sentence.start, sentence.end))
    const probability = 1 / (1 + Math.exp(-(margin + words)))
    if (probability < least) continue
    orders.push({
      start: sentence.start,
      end: sentence.end,
      probability,
      features: [...own, ...(stretches[stretch] ?? [])],
    })
    if (orders.length > MOST * 2) best(orders)
  }
  best(orders)
  return orders
}

/** Characters of a text that are judged together: counts over more would grow with its length. */
const STRETCH = 20_000

export const stretchOf = ({ start }: Pick<Sentence, 'start'>): number => Math.floor(start / STRETCH)

/** The columns that all sentences of a stretch share, by its number. */
export function featuresOfStretches(sentences: readonly Sentence[], isDisguised: boolean): number[][] {
  const stretches: Sentence[][] = Array.from(
    { length: 1 + stretchOf(sentences.at(-1) ?? { start: 0 }) },
    () => [],
  )
  for (const sentence of sentences) stretches[stretchOf(sentence)]?.push(sentence)
  return stretches.map((each) => featuresOfText(each, isDisguised))
}

export const candidatesIn = (sentences: readonly Sentence[]): number[] =>
  Array.from(sentences.keys()).filter((index) => mayOrder(sentences, index))

const sum = (columns: readonly number[], { weights }: OrderModel): number => {
  let total = 0
  for (const column of columns) total += weights[column] ?? 0
  return total
}

function best(orders: Order[]): void {
  orders.sort((a, b) => b.probability - a.probability)
  orders.length = Math.min(orders.length, MOST)
}
