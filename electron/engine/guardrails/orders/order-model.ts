import { readFileSync } from 'node:fs'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { readShared } from '../../ground/files/read-shared.ts'
import { FEATURES } from './features.ts'
import { wordClassesIn, type WordClasses } from './word-classes.ts'
import { packWords } from './word-tables.ts'
import { packWordings, wordingWeightsIn, type WordingWeights } from './wording-weights.ts'

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

/** `file` is guard-orders.json; the others are tables of guard-wordings.txt and guard-words.txt. */
export function parseOrderModel(
  file: unknown,
  wordings: ArrayBufferLike,
  words: ArrayBufferLike,
): OrderModel {
  const { bias, weights, mostOfWordings } = Weights.parse(file)
  const known = new Set(FEATURES)
  const unknown = Object.keys(weights).find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`no feature is called "${unknown}"`)
  const classes = wordClassesIn(words)
  return {
    weights: Float32Array.from(FEATURES, (name) => weights[name] ?? 0),
    wordings: wordingWeightsIn(wordings, mostOfWordings, classes),
    bias,
    words: classes,
  }
}

/** Files of resources/, and what packs them. A build has the tables beside this module, because reading a table takes a tenth of the time. */
const PACKED = { 'guard-words': packWords, 'guard-wordings': packWordings }
type Packed = keyof typeof PACKED

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
    const resources = new URL(folder, import.meta.url)
    try {
      const file: unknown = JSON.parse(readFileSync(new URL('guard-orders.json', resources), 'utf8'))
      return parseOrderModel(file, tableOf('guard-wordings', resources), tableOf('guard-words', resources))
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new SluiceError(
    'BAD_INPUT',
    `The guard's weights and word lists are missing or of another version (${problems.join('; ')}). Install Sluice again, or train them again with test/train/train-guard.ts.`,
  )
}

/** Threads that start later share it. */
function tableOf(name: Packed, resources: URL): SharedArrayBuffer {
  const shared = getEnvironmentData(`sluice:${name}`)
  if (shared instanceof SharedArrayBuffer) return shared
  const table = import.meta.url.endsWith('.ts')
    ? packOf(name, resources)
    : readShared(new URL(`${name}.table`, import.meta.url))
  setEnvironmentData(`sluice:${name}`, table)
  return table
}

const packOf = (name: Packed, resources: URL): SharedArrayBuffer =>
  PACKED[name](readFileSync(new URL(`${name}.txt`, resources)))

/** For a build: files to put beside this module. */
export const orderTables = (resources: URL): { readonly name: string; readonly source: Uint8Array }[] =>
  (Object.keys(PACKED) as Packed[]).map((name) => ({
    name: `${name}.table`,
    source: new Uint8Array(packOf(name, resources)),
  }))
