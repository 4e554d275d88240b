import { readdirSync, readFileSync } from 'node:fs'
import { isRunning } from './processes.ts'

/** Running processes with `text` in the command line, except this one. Linux only; elsewhere none. */
export function processesWith(text: string): number[] {
  return everyProcess().filter(
    (pid) => pid !== process.pid && commandOf(pid).includes(text) && isRunning(pid),
  )
}

/** The engine that a connector started in the background. Linux only. */
export const backgroundEngineOf = (dataDir: string): number | undefined =>
  processesWith(dataDir).find((pid) => commandOf(pid).endsWith(' engine '))

/** Children and their children, but none of those that `isOther` names and what is below them. Linux only. */
export function descendantsOf(pid: number, isOther: (pid: number) => boolean = () => false): number[] {
  const children = everyProcess().filter((candidate) => parentOf(candidate) === pid && !isOther(candidate))
  return [...children, ...children.flatMap((child) => descendantsOf(child, isOther))]
}

const everyProcess = (): number[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []

/** Empty if gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** In ticks since boot: unique together with the id. NaN if gone. */
export const birthOf = (pid: number): number => statField(pid, 19) ?? Number.NaN

/** Linux only. */
export const sessionOf = (pid: number): number => statField(pid, 3) ?? Number.NaN

const parentOf = (pid: number): number => statField(pid, 1) ?? -1

/** Counted from the state, after the name. */
function statField(pid: number, index: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[index])
  } catch {
    return undefined
  }
}
