import { Session } from 'node:inspector'
import type { Events } from '../ground/events.ts'

/** Worker threads end after 30 s without a job; what they leave in this thread is to go, too. */
const IDLE_MS = 35_000

/**
 * Collects all garbage of this thread now. V8 collects while something allocates: an engine that has become idle would keep
 * what its last large results left behind, tens of megabytes, while no call comes. Asked through the inspector, inside
 * of the process: no port is opened, and no flag of V8 is changed.
 */
export function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  return new Promise((resolve) => {
    session.post('HeapProfiler.collectGarbage', () => {
      // Not in its own answer: a session that ends there keeps the process from ending.
      setImmediate(() => {
        session.disconnect()
        resolve()
      })
    })
  })
}

/** Collects once whenever calls and sessions have come to rest. Returns what ends this. */
export function collectWhenIdle(
  events: Pick<Events, 'on'>,
  {
    idleMs = IDLE_MS,
    collect: collectNow = () => void collectGarbage(),
  }: { idleMs?: number; collect?: () => void } = {},
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
