import { readdirSync, readFileSync } from 'node:fs'

/** Figures of one process from /proc. Linux only. */
export interface ProcessFigures {
  /** Resident memory in MB: total, and with shared pages divided among processes (PSS). */
  readonly rss: number
  readonly pss: number
  /** Sluice's own worker threads. */
  readonly workers: number
  readonly cpu: number
}

const MS_PER_TICK = 10

export function processFigures(pid: number): ProcessFigures {
  const folder = `/proc/${pid}`
  const kilobytes = (name: string, text: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  const rollup = readFileSync(`${folder}/smaps_rollup`, 'utf8')
  const threads = readdirSync(`${folder}/task`).map((id) =>
    readFileSync(`${folder}/task/${id}/comm`, 'utf8').trim(),
  )
  return {
    rss: kilobytes('Rss', rollup) / 1024,
    pss: kilobytes('Pss', rollup) / 1024,
    workers: threads.filter((name) => name.startsWith('sluice-worker')).length,
    cpu: cpuMs(pid),
  }
}

/** User and system time of a process, ms; NaN where it can't be read. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return Number.NaN
  }
}
