import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../errors.ts'
import { explainFileFailure } from './explain-file-failure.ts'

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
      writeLock(lock)
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

/** On a full disk the file can be made and not be filled; an empty one would stop everybody. */
function writeLock(lock: string): void {
  const descriptor = openSync(lock, 'wx', 0o600)
  try {
    writeSync(descriptor, String(process.pid))
  } catch (error) {
    rmSync(lock, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Nothing that is done alone takes longer: an older lock is one of a process whose number another has now. */
const OLDEST_MS = 15 * 60_000

/**
 * Runs `work` while no other process, and nobody else in this one, is in here with the same file. A guard: rejects with
 * LIMIT_REACHED when the other is not done within `patienceMs`.
 */
export async function whileLockedAlone<T>(
  {
    path,
    patienceMs,
    now,
  }: { path: string; patienceMs: number; /** Unix milliseconds. */ now: () => number },
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`
  const deadline = performance.now() + patienceMs
  while (!take(lock, now)) {
    if (performance.now() >= deadline) {
      const text = `Another process is at it already. If none is, delete ${lock}.`
      throw new SluiceError('LIMIT_REACHED', text)
    }
    await wait(POLL_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string, now: () => number): boolean {
  try {
    writeLock(lock)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw explainFileFailure(error, `The lock ${lock} can't be written`)
    const stats = statSync(lock, { throwIfNoEntry: false })
    const isOld = stats !== undefined && now() - stats.mtimeMs > OLDEST_MS
    if (isOld || !isHolderAlive(lock)) rmSync(lock, { force: true })
    return false
  }
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
