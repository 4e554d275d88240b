import { Session } from 'node:inspector'
import type { Events } from '../ground/events.ts'

/** Worker threads end after 30 s idle; this also collects their remains. */
const IDLE_MS = 35_000

/**
 * V8 collects only on allocation: an idle engine would keep tens of megabytes of its last large results. Uses the
 * in-process inspector: opens no port, changes no V8 flag.
 */
export function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  return new Promise((resolve) => {
    session.post('HeapProfiler.collectGarbage', () => {
      // Not inside its own callback: a session closed there keeps the process alive.
      setImmediate(() => {
        session.disconnect()
        resolve()
      })
    })
  })
}

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
