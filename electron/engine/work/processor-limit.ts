export interface ProcessorLimitOptions {
  /** Processor milliseconds. */
  readonly limitMs: number
  /** Not called again before it answers. */
  readonly used: () => Promise<number>
  /** Once: the time is used up or the thread hangs. */
  readonly onOver: (why: string) => void
}

/** Between checks, so that they don't spin near the limit. */
const SHORTEST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1_000
/** Without an answer or progress in this many checks the thread hangs. */
const MOST_IDLE_LOOKS = 30
const NOTHING_MS = 1

/** Sleep, a stopped process or a busy machine use up nothing. A late check counts once. Returns the stop. */
export function limitProcessorTime({ limitMs, used, onOver }: ProcessorLimitOptions): () => void {
  let isStopped = false
  let isAsked = false
  let timer: NodeJS.Timeout | undefined
  let first: number | undefined
  let last = 0
  let idleLooks = 0
  const stop = (): void => {
    isStopped = true
    clearTimeout(timer)
  }
  const end = (why: string): void => {
    if (isStopped) return
    stop()
    onOver(why)
  }
  const ask = async (): Promise<void> => {
    isAsked = true
    // A thread not yet running has used nothing.
    const total = await used().catch(() => 0)
    isAsked = false
    first ??= total
    const spent = total - first
    idleLooks = spent - last < NOTHING_MS ? idleLooks + 1 : 0
    last = spent
    if (spent >= limitMs) end(`it used more than ${limitMs} ms of processor time`)
  }
  const look = (): void => {
    if (isAsked) idleLooks++
    else void ask()
    if (idleLooks > MOST_IDLE_LOOKS) return end('it stood still')
    if (isStopped) return
    const left = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, limitMs - last))
    timer = setTimeout(look, left)
  }
  // Most jobs end before the first look, which the busy thread would have to answer.
  timer = setTimeout(look, SHORTEST_WAIT_MS)
  return stop
}
