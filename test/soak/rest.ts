import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { heapFigures } from '../bench/heap-figures.ts'
import { processFigures } from '../bench/process-figures.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'

/** The engine at a moment when nobody asks anything of it. */
export interface Rest {
  readonly atSeconds: number
  /** Resident memory, MB. */
  readonly memory: number
  /** Of it, what the objects of the main thread take, MB: what grows besides is the allocator's, SQLite's or Node's. */
  readonly heap: number
  /** Open file descriptors. */
  readonly handles: number
  /** What the engine has started and what that has started: guards, and the servers of sessions that are open. */
  readonly processes: number
}

/** How long an engine needs to be idle until its worker threads have ended and it has given memory back. */
export const UNTIL_IDLE_MS = 40_000
const ENDS_MS = 30_000

/** Waits until no process has come or gone for this long, and looks. */
export async function takeRest(engine: RunningEngine, atSeconds: number, settleMs: number): Promise<Rest> {
  const { pid } = engine
  const began = performance.now()
  let processes = descendantsOf(pid).length
  for (let same = 0; same < settleMs && performance.now() - began < settleMs + ENDS_MS;) {
    await wait(500)
    const now = descendantsOf(pid).length
    same = now === processes ? same + 500 : 0
    processes = now
  }
  const { heapUsed } = await heapFigures(engine)
  return {
    atSeconds: Math.round(atSeconds),
    memory: toTenths(processFigures(pid).rss),
    heap: toTenths(heapUsed),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    processes,
  }
}

const toTenths = (value: number): number => Math.round(value * 10) / 10
