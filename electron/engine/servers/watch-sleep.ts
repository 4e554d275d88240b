/** How far the two clocks may drift apart between two looks, and a look may be late, before it means something. */
const SLACK_MS = 10_000
const EVERY_MS = 20_000

export interface WatchSleepOptions {
  /** Unix milliseconds: goes on while the machine sleeps, and jumps when it is set. */
  readonly now: () => number
  /** Milliseconds since some start: only goes forward, and mostly stands still while the machine sleeps. */
  readonly clock: () => number
  readonly onWake: () => void
}

/**
 * Notices that the machine has slept, or that its clock was set, by the two clocks: `sluice serve` hears of neither, since
 * only the desktop app is told by the system. Returns its stop.
 */
export function watchSleep({ now, clock, onWake }: WatchSleepOptions): () => void {
  let last = { now: now(), clock: clock() }
  const look = (): void => {
    const before = last
    last = { now: now(), clock: clock() }
    const [byNow, byClock] = [last.now - before.now, last.clock - before.clock]
    const isApart = Math.abs(byNow - byClock) > SLACK_MS
    // Where the second clock goes on during sleep (Windows), the look itself is late.
    if (isApart || byClock > EVERY_MS + SLACK_MS) onWake()
  }
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
