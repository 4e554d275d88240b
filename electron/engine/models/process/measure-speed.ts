import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Speed } from '../process-messages.ts'

const PROMPT_TOKENS = 128
const OUTPUT_TOKENS = 12
/** Thread counts this much slower than the best are abandoned. */
const GIVE_UP_MS = 15_000

export async function measureSpeed(
  model: LlamaModel,
  threadCounts: readonly number[],
  signal: AbortSignal,
): Promise<Speed[]> {
  const speeds: Speed[] = []
  for (const threads of threadCounts) {
    const limit = speeds.length === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(GIVE_UP_MS)])
    try {
      speeds.push(await measureOnce(model, threads, limit))
    } catch (error) {
      if (signal.aborted || speeds.length === 0) throw error
    }
  }
  return speeds
}

async function measureOnce(model: LlamaModel, threads: number, signal: AbortSignal): Promise<Speed> {
  const context = await model.createContext({ contextSize: 256, batchSize: PROMPT_TOKENS, threads })
  try {
    const sequence = context.getSequence()
    const tokens = sampleTokens(model)
    const start = performance.now()
    let first: number | undefined
    let written = 0
    for await (const _ of sequence.evaluate(tokens, { temperature: 0, yieldEogToken: true })) {
      signal.throwIfAborted()
      first ??= performance.now()
      if (++written > OUTPUT_TOKENS) break
    }
    const end = performance.now()
    const firstAt = first ?? end
    return {
      threads,
      promptTokensPerSecond: (tokens.length * 1000) / Math.max(firstAt - start, 0.01),
      outputTokensPerSecond: (Math.max(written - 1, 1) * 1000) / Math.max(end - firstAt, 0.01),
    }
  } finally {
    await context.dispose()
  }
}

/** Content doesn't affect timing. */
function sampleTokens(model: LlamaModel): Token[] {
  const text = 'The server wrote 42 lines to the log and then closed the connection. '.repeat(PROMPT_TOKENS)
  return model.tokenize(text.slice(0, PROMPT_TOKENS * 8)).slice(0, PROMPT_TOKENS)
}
