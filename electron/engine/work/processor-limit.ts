export interface ProcessorLimitOptions {
  /** Milliseconds of the thread's own processor time. */
  readonly limitMs: number
  /** What the thread has used so far. Never asked again before it answered. */
  readonly used: () => Promise<number>
  /** Called once, when the time is used up or the thread does nothing any more. */
  readonly onOver: (why: string) => void
}

/** Between two looks, so that a limit that is nearly reached is not looked at without a pause. */
const SHORTEST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1_000
/** So many looks at which the thread gave no answer, or had done nothing since the last one, mean that it stands still. */
const MOST_IDLE_LOOKS = 30
const NOTHING_MS = 1

/**
 * Limits what a thread may compute, by the time that it really had: while the machine sleeps, the process is stopped or others
 * have the processor, nothing is used up. A look counts once however late it comes. Returns its stop.
 */
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
    // A thread that is not running yet has used nothing.
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
  look()
  return stop
}
