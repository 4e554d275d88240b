const SLACK_MS = 10_000
const EVERY_MS = 20_000

export interface WatchSleepOptions {
  /** Unix milliseconds: continues during sleep, jumps when set. */
  readonly now: () => number
  /** Monotonic milliseconds: mostly stops during sleep. */
  readonly clock: () => number
  readonly onWake: () => void
}

/** By comparing two clocks, because only the desktop app gets system events. Returns its stop. */
export function watchSleep({ now, clock, onWake }: WatchSleepOptions): () => void {
  let last = { now: now(), clock: clock() }
  const look = (): void => {
    const before = last
    last = { now: now(), clock: clock() }
    const [byNow, byClock] = [last.now - before.now, last.clock - before.clock]
    const isApart = Math.abs(byNow - byClock) > SLACK_MS
    // On Windows the second clock continues during sleep, so the check itself is late.
    if (isApart || byClock > EVERY_MS + SLACK_MS) onWake()
  }
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
