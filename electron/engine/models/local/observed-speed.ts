import { blend } from '../blend.ts'
import type { DeviceKind, FromModelProcess } from '../process-messages.ts'
import { slowdownAt, type CompletionRequest, type ModelCapacity } from '../text-model.ts'
import type { MeasuredModel } from './speed-store.ts'

/** Shorter prompts measure the start-up. */
const TELLING_TOKENS = 64
/**
 * Tokens. A processor attends to the whole prompt for each token: with a 0.6B model 1,050 tokens took 1.7 times and
 * 1,950 tokens 2.1 times as long as a short prompt's speed predicts. Larger models slow down later.
 */
const READS_HALF_AS_FAST_AT = 1500

export interface ObservedSpeed {
  /** Blends in what an answer took. */
  learn(request: CompletionRequest, done: Extract<FromModelProcess, { type: 'completed' }>): void
  /** Of a prompt that was too long. */
  count(characters: number, tokens: number): void
  /** After a measurement, which counts more. */
  forget(): void
  capacity(): Omit<ModelCapacity, 'contextTokens'>
}

/** What a model's answers took lately, or else what its measurement says. */
export function createObservedSpeed(options: {
  readonly measured: () => MeasuredModel | undefined
  /** Of the running process. */
  readonly device: () => DeviceKind | undefined
}): ObservedSpeed {
  const { measured, device } = options
  let charactersPerToken: number | undefined
  let recent: Pick<ModelCapacity, 'promptTokensPerSecond' | 'outputTokensPerSecond'> | undefined

  /** Within time limits, graphics cards read long prompts as fast as short ones. */
  const slowness = (): Pick<ModelCapacity, 'readsHalfAsFastAt'> =>
    (device() ?? measured()?.device) === 'cpu' ? { readsHalfAsFastAt: READS_HALF_AS_FAST_AT } : {}

  return {
    learn: (request, done) => {
      const characters = request.system.length + request.prompt.length
      charactersPerToken = blend(charactersPerToken, characters / Math.max(1, done.promptTokens))
      const known = recent ?? measured()
      if (done.promptTokens < TELLING_TOKENS || done.promptMs <= 0) return
      const shortMs = done.promptMs / slowdownAt(done.promptTokens, slowness())
      recent = {
        promptTokensPerSecond: blend(known?.promptTokensPerSecond, (done.promptTokens * 1000) / shortMs),
        outputTokensPerSecond:
          done.outputTokens < 8 || done.outputMs <= 0
            ? known?.outputTokensPerSecond
            : blend(known?.outputTokensPerSecond, ((done.outputTokens - 1) * 1000) / done.outputMs),
      }
    },
    count: (characters, tokens) => (charactersPerToken = characters / tokens),
    forget: () => (recent = undefined),
    capacity: () => {
      const known = recent ?? measured()
      return {
        promptTokensPerSecond: known?.promptTokensPerSecond,
        outputTokensPerSecond: known?.outputTokensPerSecond,
        ...slowness(),
        charactersPerToken,
      }
    },
  }
}
