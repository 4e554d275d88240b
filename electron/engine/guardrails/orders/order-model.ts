import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { FEATURES } from './features.ts'
import { createWordClasses, type WordClasses } from './word-classes.ts'
import { createWordingWeights, type WordingWeights } from './wording-weights.ts'

/** A logistic model: the probability of an order is that of bias + the sum of its features' weights. */
export interface OrderModel {
  /** By column of features.ts. */
  readonly weights: Float32Array
  readonly wordings: WordingWeights
  readonly bias: number
  readonly words: WordClasses
}

const Weights = z.object({
  bias: z.number(),
  weights: z.record(z.string(), z.number()),
  mostOfWordings: z.number(),
})

/** guard-orders.json, guard-wordings.txt and guard-words.txt of resources/. */
export function parseOrderModel(file: unknown, wordings: Buffer, words: Buffer): OrderModel {
  const { bias, weights, mostOfWordings } = Weights.parse(file)
  const known = new Set(FEATURES)
  const unknown = Object.keys(weights).find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`no feature is called "${unknown}"`)
  return {
    weights: Float32Array.from(FEATURES, (name) => weights[name] ?? 0),
    wordings: createWordingWeights(wordings, mostOfWordings),
    bias,
    words: createWordClasses(words),
  }
}

const FOLDERS = ['../../../../resources/', '../../../../../resources/']

let shipped: OrderModel | undefined

/** Read once. Throws BAD_INPUT if the files are missing or of another version. */
export function readOrderModel(): OrderModel {
  shipped ??= readFrom(FOLDERS)
  return shipped
}

function readFrom(folders: readonly string[]): OrderModel {
  const problems: string[] = []
  for (const folder of folders) {
    const at = new URL(folder, import.meta.url)
    const read = (name: string): Buffer => readFileSync(new URL(name, at))
    const parse = (name: string): unknown => JSON.parse(read(name).toString())
    try {
      return parseOrderModel(parse('guard-orders.json'), read('guard-wordings.txt'), read('guard-words.txt'))
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new SluiceError(
    'BAD_INPUT',
    `The guard's weights and word lists are missing or of another version (${problems.join('; ')}). Install Sluice again, or train them again with test/train/train-guard.ts.`,
  )
}
