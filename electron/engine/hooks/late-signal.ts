/** Below the 2 s after which apps go on by themselves. */
const MOST_ON_THE_CLOCK_MS = 1_500
/** Between looks, so that they don't spin near the limit. */
const SHORTEST_WAIT_MS = 20

export interface LateOptions {
  /** Processor milliseconds of the engine. */
  readonly limitMs: number
  /** In all, processor milliseconds; default: of this process with its threads. */
  readonly used?: () => number
}

/** Aborts when an answer is of no use any more. A busy machine gives the engine its time later, which isn't its fault. */
export function lateSignal({ limitMs, used = usedHere }: LateOptions): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const late = new AbortController()
  const [began, before] = [performance.now(), used()]
  const longest = Math.max(MOST_ON_THE_CLOCK_MS, limitMs)
  const look = (): void => {
    const [left, leftOnTheClock] = [limitMs - (used() - before), longest - (performance.now() - began)]
    if (left <= 0 || leftOnTheClock <= 0) return late.abort()
    timer = setTimeout(look, Math.min(Math.max(left, SHORTEST_WAIT_MS), leftOnTheClock))
  }
  let timer = setTimeout(look, limitMs)
  return { signal: late.signal, stop: () => clearTimeout(timer) }
}

function usedHere(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
