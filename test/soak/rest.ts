import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { heapFigures } from '../bench/heap-figures.ts'
import { processFigures } from '../bench/process-figures.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'

/** The idle engine. */
export interface Rest {
  readonly atSeconds: number
  /** Resident memory, MB. */
  readonly memory: number
  /** Of that, objects of the main thread, MB: other growth is the allocator's, SQLite's or Node's. */
  readonly heap: number
  /** Open file descriptors but those of event loops: worker threads come and go. */
  readonly handles: number
  /** The engine's descendants: guards, and servers of open sessions. */
  readonly processes: number
}

/** Idle time until an engine has ended its worker threads and returned memory. */
export const UNTIL_IDLE_MS = 40_000
const ENDS_MS = 30_000

/** Waits until no process has started or ended for this long, then measures. */
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
    handles: handlesOf(pid),
    processes,
  }
}

/** Of a thread's event loop: epoll, an eventfd and both ends of a pipe. */
const OF_A_LOOP = 4

function handlesOf(pid: number): number {
  const handles = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      return 'closed meanwhile'
    }
  })
  const loops = handles.filter((target) => target === 'anon_inode:[eventpoll]').length
  return handles.length - OF_A_LOOP * loops
}

const toTenths = (value: number): number => Math.round(value * 10) / 10
