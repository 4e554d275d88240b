import { joinTexts } from '../text/joined-texts.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** Below the pool's idle time. */
const EVERY_MS = 20_000
/** Since the last event of a session: a build may take long, and its output is the one that matters. */
const LASTS_MS = 60 * 60_000
/** Since the endpoint opened, for a session that began before. */
const AFTER_START_MS = 10 * 60_000
const ENDPOINT = ''
const NOTHING = 'x'
const COMPRESS = { text: NOTHING, budget: 500, request: NOTHING }

export interface KeepReadyOptions {
  readonly workers: Pick<WorkerPool, 'run'>
  /** The guard of small outputs, in this thread. */
  readonly prepareGuard: () => void
}

/** While an app works, a thread stays loaded: a new one needs longer than an app waits for an answer. */
export function createKeepReady({ workers, prepareGuard }: KeepReadyOptions) {
  /** By session, when it needs no thread any more. */
  const until = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
    until.clear()
  }
  const load = async (): Promise<void> => {
    prepareGuard()
    // A request of the user is part of the key of a shortened form.
    await import('../text/words/stem.ts')
    const value = { content: [{ type: 'text', text: NOTHING }] }
    await workers.run('scan-result', { value, most: NOTHING.length, from: 0 })
    await workers.run('measure-texts', [joinTexts([NOTHING])])
    await workers.run('compress', COMPRESS)
  }
  const stay = async (): Promise<void> => {
    const now = performance.now()
    for (const [session, end] of until) if (end <= now) until.delete(session)
    if (until.size === 0) return stop()
    await workers.run('compress', COMPRESS)
  }
  const begin = (session: string, lasts: number): void => {
    until.set(session, performance.now() + lasts)
    if (timer) return
    // A closed or busy pool: the next call says so.
    const quietly = (work: () => Promise<void>): void => void work().catch(() => undefined)
    timer = setInterval(quietly, EVERY_MS, stay).unref()
    quietly(load)
  }
  return {
    /** Apps with hooks may send outputs of sessions that go on. */
    opened: (): void => begin(ENDPOINT, AFTER_START_MS),
    used: (session: string): void => begin(session, LASTS_MS),
    ended: (session: string): void => {
      until.delete(session)
      if (until.size === 0) stop()
    },
    stop,
  }
}
