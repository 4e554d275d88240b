import { joinTexts } from '../text/joined-texts.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** Below the pool's idle time. */
const EVERY_MS = 20_000
/** Since the last event of an app. */
const LASTS_MS = 10 * 60_000

/** While an app works, a thread stays loaded: a new one needs longer than an app waits for an answer. */
export function createKeepReady(workers: Pick<WorkerPool, 'run'>) {
  let timer: NodeJS.Timeout | undefined
  let last = -Infinity
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const load = (): void => {
    if (performance.now() - last > LASTS_MS) return stop()
    for (const loading of [
      workers.run('compress', { text: 'x', budget: 100 }),
      workers.run('scan', joinTexts(['x'])),
      workers.run('measure-texts', [joinTexts(['x'])]),
    ])
      // A closed or busy pool: the next call says so.
      loading.catch(() => undefined)
  }
  return {
    used: (): void => {
      last = performance.now()
      if (timer) return
      timer = setInterval(load, EVERY_MS).unref()
      load()
    },
    stop,
  }
}
