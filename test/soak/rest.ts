import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { processFigures } from '../bench/process-figures.ts'
import { descendantsOf } from '../helpers/process-tree.ts'

/** The engine at a moment when nobody asks anything of it. */
export interface Rest {
  readonly atSeconds: number
  /** Resident memory, MB. */
  readonly memory: number
  /** Open file descriptors. */
  readonly handles: number
  /** What the engine has started and what that has started: guards, and the servers of sessions that are open. */
  readonly processes: number
}

const SETTLE_MS = 4_000
const LONGEST_MS = 30_000

/** Waits until no process comes or goes any more, and looks. */
export async function takeRest(pid: number, atSeconds: number): Promise<Rest> {
  const began = performance.now()
  let processes = descendantsOf(pid).length
  for (let same = 0; same < SETTLE_MS && performance.now() - began < LONGEST_MS;) {
    await wait(500)
    const now = descendantsOf(pid).length
    same = now === processes ? same + 500 : 0
    processes = now
  }
  return {
    atSeconds: Math.round(atSeconds),
    memory: Math.round(processFigures(pid).rss * 10) / 10,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    processes,
  }
}
