import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SluiceError } from '../errors.ts'
import { isRunning } from '../is-running.ts'
import { explainFileFailure } from './explain-file-failure.ts'

const POLL_MS = 10
/** Opening takes milliseconds: a longer holder hangs. */
const PATIENCE_MS = 5000

/** At start only, not a guard: continues after five seconds, or if no lock file can be written. Blocks the thread. */
export function whileLocked<T>(path: string, work: () => T): T {
  const lock = `${path}.opening`
  const unlock = waitForLock(lock)
  try {
    return work()
  } finally {
    unlock?.()
  }
}

function waitForLock(lock: string): (() => void) | undefined {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    try {
      const unlock = tryLock(lock)
      if (unlock) return unlock
    } catch {
      return undefined
    }
    Atomics.wait(sleeper, 0, 0, POLL_MS)
  }
  return () => rmSync(lock, { force: true })
}

/**
 * Returns the release; undefined while a running process has it. Takes over locks of a crash or that are `isOld`.
 * Throws if no lock can be written.
 */
export function tryLock(
  lock: string,
  isOld: (lock: string) => boolean = () => false,
): (() => void) | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeLock(lock)
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
        throw explainFileFailure(error, `The lock ${lock} can't be written`)
      if (!isOld(lock) && isHolderAlive(lock)) return undefined
      rmSync(lock, { force: true })
    }
  }
  return undefined
}

export const isLocked = (lock: string): boolean => existsSync(lock) && isHolderAlive(lock)

/** A full disk permits empty files, and an empty lock would stop every process. */
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

/** No exclusive work takes longer: an older lock's process id has been reused. */
const OLDEST_MS = 15 * 60_000

/** Excludes other processes and callers. A guard: rejects with LIMIT_REACHED after `patienceMs`. */
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
  const isOld = (): boolean => {
    const stats = statSync(lock, { throwIfNoEntry: false })
    return stats !== undefined && now() - stats.mtimeMs > OLDEST_MS
  }
  let unlock = tryLock(lock, isOld)
  while (!unlock) {
    if (performance.now() >= deadline) {
      const text = `Another process is at it already. If none is, delete ${lock}.`
      throw new SluiceError('LIMIT_REACHED', text)
    }
    await wait(POLL_MS)
    unlock = tryLock(lock, isOld)
  }
  try {
    return await work()
  } finally {
    unlock()
  }
}

function isHolderAlive(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, 'utf8'))
    // Not yet written or unreadable: assume it runs.
    if (!Number.isInteger(holder) || holder <= 0) return true
    return isRunning(holder)
  } catch {
    return true
  }
}
