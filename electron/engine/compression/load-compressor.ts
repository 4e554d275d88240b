import { setFlagsFromString } from 'node:v8'
import { LONGEST_TIMER_MS } from '../longest-timer.ts'
import { prepareStrategies } from './code/grammars.ts'
import { compressText, type CompressText } from './compress-text.ts'
import { prepareCounting } from './tokens/byte-pairs.ts'

/** Characters from which on it matters how much of a heap is garbage. */
const LARGE = 5_000_000

/** The compressor with everything loaded that its strategies use synchronously; await it before the first text. */
export async function loadCompressor(): Promise<CompressText> {
  compileWithLessHaste()
  await awake(prepareStrategies())
  prepareCounting()
  return (input) => {
    const isLarge = input.text.length >= LARGE
    makeRoomForShortLived(isLarge ? 2 : 16)
    return isLarge ? withTightHeap(() => compressText(input)) : compressText(input)
  }
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

/**
 * V8's last compiler took nearly half of all processor time while the first forty megabytes were compressed, on threads that
 * hold up the work on a machine with few cores, and code that the one before it has made is nearly as fast. What is called
 * ten times as often as V8 would have it still gets there. For the same reason each compiler has one thread. What has met values
 * of a new form waits half as long as usual until it is compiled anew: each document brings some.
 */
function compileWithLessHaste(): void {
  setFlagsFromString('--invocation-count-for-turbofan=30000')
  setFlagsFromString('--concurrent-turbofan-max-threads=1')
  setFlagsFromString('--concurrent-maglev-max-threads=1')
  setFlagsFromString('--minimum-invocations-after-ic-update=250')
}

/**
 * A text leaves many short-lived objects behind, and V8 begins with 1 MB for those and doubles it while most of them live on:
 * until it has the 16 MB that it may take anyway, a tenth of all time goes to copying them. It is to take them at once,
 * unless the text is one of those that need the memory.
 */
const makeRoomForShortLived = (factor: number): void =>
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/**
 * V8 lets a heap double before it looks for garbage, which takes hundreds of megabytes for a text of 50: here it looks
 * after a fifth. The setting is one for all threads, so it is taken back; it changes when garbage goes, and nothing else.
 */
function withTightHeap<Value>(work: () => Value): Value {
  setFlagsFromString('--heap-growing-percent=20')
  try {
    return work()
  } finally {
    setFlagsFromString('--heap-growing-percent=0')
  }
}
