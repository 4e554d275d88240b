import { LONGEST_TIMER_MS } from '../ground/longest-timer.ts'
import { prepareStrategies } from './source/grammars.ts'
import { compressText, type CompressText } from './compress-text.ts'
import { prepareCounting } from '../text/tokens/byte-pairs.ts'

/** The compressor with everything loaded that its strategies use synchronously; await it before the first text. */
export async function loadCompressor(): Promise<CompressText> {
  await awake(prepareStrategies())
  prepareCounting()
  return compressText
}

/**
 * Waits with an event loop that has something to wait for. Grammars are compiled on V8's threads, and where nothing else is
 * under way Node's main thread sleeps until these are done, although one of them may wait for the main thread to collect
 * garbage: then the process would stand still for ever (nodejs/node#54918).
 */
async function awake<Value>(work: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => {}, LONGEST_TIMER_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
