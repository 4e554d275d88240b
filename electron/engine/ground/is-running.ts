import { readFileSync } from 'node:fs'

/** Also for processes of other users. Not for one that ended and whose exit code its parent has not asked for. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** It still takes signals. Linux only. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return /^\) [ZX] /.test(stat.slice(stat.lastIndexOf(')')))
  } catch {
    return false
  }
}
