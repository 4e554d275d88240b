import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Events } from './events.ts'

/** Worker threads end after 30 s without a job; what they leave in this thread is to go, too. */
const IDLE_MS = 35_000

let collect: (() => void) | undefined

/**
 * Collects all garbage of this thread now. V8 collects while something allocates: an engine that has become idle would keep
 * what its last large results left behind, tens of megabytes, for as long as nobody calls.
 */
export function collectGarbage(): void {
  collect ??= exposed()
  collect()
}

/** Node offers the function to programs that were started with a flag; a context made while the flag is set has it, too. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function'
    ? () => void found({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    : () => {}
}

/** Collects once whenever calls and sessions have come to rest. Returns what ends this. */
export function collectWhenIdle(
  events: Pick<Events, 'on'>,
  { idleMs = IDLE_MS, collect: collectNow = collectGarbage } = {},
): () => void {
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    // Thousands of calls move one timer.
    if (timer) timer.refresh()
    else timer = setTimeout(rest, idleMs).unref()
  }
  const rest = (): void => {
    timer = undefined
    collectNow()
  }
  const ends = (['call-recorded', 'session-opened', 'session-closed'] as const).map((name) =>
    events.on(name, wait),
  )
  return () => {
    clearTimeout(timer)
    for (const end of ends) end()
  }
}
