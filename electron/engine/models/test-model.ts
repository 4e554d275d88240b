import { SluiceError } from '../ground/errors.ts'
import type { LocalModel, LocalModelStatus } from './local/local-model.ts'
import {
  measuredReach,
  type Completion,
  type MeasuredReach,
  type ModelCapacity,
  type TextModel,
} from './text-model.ts'

export interface ModelTestResult {
  readonly completion: Completion
  readonly capacity: ModelCapacity
  /** Answered within the time limit. */
  readonly longest: MeasuredReach | undefined
  readonly status: LocalModelStatus | undefined
}

/** Assumed when estimating the longest prompt. */
export const TYPICAL_ANSWER_TOKENS = 300
const TEST_LIMIT_MS = 180_000

const LINES = Array.from(
  { length: 24 },
  (_, line) =>
    `2026-03-0${(line % 9) + 1} 12:${String(line + 10)}:07 worker-${line % 4} ${line === 17 ? 'ERROR disk /dev/sdb1 is full (0 bytes left)' : `INFO stored batch ${4100 + line} in ${line + 31} ms`}`,
)
const QUESTION = {
  system: 'You shorten what tools return. Answer with one sentence and keep names and numbers as they are.',
  prompt: `What went wrong?\n\n${LINES.join('\n')}`,
  maxTokens: 48,
}

export async function testModel(
  model: TextModel,
  {
    local,
    timeLimitMs,
    signal,
  }: { local: LocalModel | undefined; timeLimitMs: number; signal?: AbortSignal | undefined },
): Promise<ModelTestResult> {
  const limit = AbortSignal.timeout(TEST_LIMIT_MS)
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
  try {
    await local?.measure(either)
    const completion = await model.complete({ ...QUESTION, signal: either, timeLimitMs: TEST_LIMIT_MS })
    const capacity = model.capacity()
    const wanted = { outputTokens: TYPICAL_ANSWER_TOKENS, withinMs: timeLimitMs }
    return { completion, capacity, longest: measuredReach(capacity, wanted), status: local?.status() }
  } catch (error) {
    if (error === limit.reason) {
      throw new SluiceError(
        'MODEL_LATE',
        `The model was not done within ${TEST_LIMIT_MS / 1000} s. It is too slow for this machine: use a smaller one.`,
      )
    }
    throw error
  }
}
