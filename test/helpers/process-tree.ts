import { readdirSync, readFileSync } from 'node:fs'
import { isRunning } from './processes.ts'

/** Every process that runs and has `text` in its command line, this one left out. Linux only; elsewhere none are found. */
export function processesWith(text: string): number[] {
  return everyProcess().filter(
    (pid) => pid !== process.pid && commandOf(pid).includes(text) && isRunning(pid),
  )
}

/** The processes that `pid` has started, and theirs. Linux only. */
export function descendantsOf(pid: number): number[] {
  const children = everyProcess().filter((candidate) => parentOf(candidate) === pid)
  return [...children, ...children.flatMap(descendantsOf)]
}

const everyProcess = (): number[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []

/** Its command line; empty for one that is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** When a process began, in ticks since the machine did: with its id, this names it for ever. NaN for one that is gone. */
export const birthOf = (pid: number): number => statField(pid, 19) ?? Number.NaN

/** The id of the session that it belongs to. Linux only. */
export const sessionOf = (pid: number): number => statField(pid, 3) ?? Number.NaN

const parentOf = (pid: number): number => statField(pid, 1) ?? -1

/** Counted from the state, which follows the name. */
function statField(pid: number, index: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[index])
  } catch {
    return undefined
  }
}
