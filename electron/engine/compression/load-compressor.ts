import { LONGEST_TIMER_MS } from '../ground/longest-timer.ts'
import { prepareStrategies } from './source/grammars.ts'
import { compressText, type CompressText } from './compress-text.ts'
import { prepareCounting } from '../text/tokens/byte-pairs.ts'

/** Await before the first text: loads all synchronous dependencies of strategies. */
export async function loadCompressor(): Promise<CompressText> {
  await awake(prepareStrategies())
  prepareCounting()
  return compressText
}

/**
 * Keeps the event loop alive. Grammars compile on V8's threads; an idle main thread in Node sleeps until they finish,
 * but one may wait for the main thread to collect garbage: the process would hang (nodejs/node#54918).
 */
async function awake<Value>(work: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => {}, LONGEST_TIMER_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
