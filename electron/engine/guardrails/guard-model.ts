import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { BUCKETS } from './hashed-windows.ts'

/** Margin of a window: scale × sum of its buckets' weights / sqrt(count) + bias. */
export interface GuardModel {
  readonly weights: Int8Array
  readonly scale: number
  readonly bias: number
  /** Margin with score 0.5. */
  readonly threshold: number
  readonly steepness: number
}

const Header = z.object({
  buckets: z.literal(BUCKETS),
  scale: z.number().positive(),
  bias: z.number(),
  threshold: z.number(),
  steepness: z.number().positive(),
})

/** guard-model.json and guard-model.bin in resources/: one signed byte per bucket. */
export function parseGuardModel(header: unknown, weights: Uint8Array): GuardModel {
  const parsed = Header.safeParse(header)
  if (!parsed.success || weights.byteLength !== BUCKETS) {
    throw new SluiceError(
      'BAD_INPUT',
      `The weights of the injection classifier don't fit this version of Sluice (${parsed.success ? `${weights.byteLength} bytes instead of ${BUCKETS}` : z.prettifyError(parsed.error)}). Install Sluice again, or train them again with test/train/train-guard-model.ts.`,
    )
  }
  const { scale, bias, threshold, steepness } = parsed.data
  return {
    weights: new Int8Array(weights.buffer, weights.byteOffset, weights.byteLength),
    scale,
    bias,
    threshold,
    steepness,
  }
}

const FOLDERS = ['../../../resources/', '../../../../resources/']

let shipped: GuardModel | undefined

/** Read once, 33 kB. */
export function readGuardModel(): GuardModel {
  shipped ??= readFrom(FOLDERS)
  return shipped
}

function readFrom(folders: readonly string[]): GuardModel {
  const problems: string[] = []
  for (const folder of folders) {
    const at = new URL(folder, import.meta.url)
    let header: string
    let weights: Buffer
    try {
      header = readFileSync(new URL('guard-model.json', at), 'utf8')
      weights = readFileSync(new URL('guard-model.bin', at))
    } catch (error) {
      problems.push(messageOf(error))
      continue
    }
    return parseGuardModel(JSON.parse(header), weights)
  }
  throw new SluiceError(
    'BAD_INPUT',
    `The weights of the injection classifier are missing (${problems.join('; ')}). Install Sluice again.`,
  )
}
