import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const POLL_MS = 10
/** Opening takes milliseconds: who holds the lock longer than this does not let go of it any more. */
const PATIENCE_MS = 5000

/**
 * Runs `work` while no other process is in here with the same file. A convenience for starting up, not a guard: after five
 * seconds, or where no lock file can be written, it goes ahead without. Blocks the thread while it waits.
 */
export function whileLocked<T>(path: string, work: () => T): T {
  const lock = `${path}.opening`
  const isHeld = acquire(lock)
  try {
    return work()
  } finally {
    if (isHeld) rmSync(lock, { force: true })
  }
}

function acquire(lock: string): boolean {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      if (!isTaken) return false
      if (!isHolderAlive(lock)) break
      Atomics.wait(sleeper, 0, 0, POLL_MS)
    }
  }
  // Left behind by a crash: taken over, and let go of at the end.
  return true
}

function isHolderAlive(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, 'utf8'))
    // Not yet written, or unreadable: give it the benefit of the doubt.
    if (!Number.isInteger(holder) || holder <= 0) return true
    process.kill(holder, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
