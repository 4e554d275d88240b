import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'

/**
 * Puts a file in the place of another one, so that a reader sees the old or the new, never half of it. `fill` gets the
 * new file, open and with `mode`, under the name that it has until then; when it throws, nothing was changed.
 */
export function replaceFile(
  path: string,
  mode: number,
  fill: (descriptor: number, temporary: string) => void,
): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', mode)
    try {
      fill(descriptor, temporary)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renamePatiently(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** On Windows a scanner or an indexer may hold a file for a moment. */
const PAUSES_MS = [20, 80, 200]

function renamePatiently(from: string, to: string): void {
  for (const pause of PAUSES_MS) {
    try {
      return renameSync(from, to)
    } catch (error) {
      const isHeld =
        error instanceof Error && 'code' in error && /^(?:EBUSY|EPERM|EACCES)$/.test(String(error.code))
      if (!isHeld) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
  }
  renameSync(from, to)
}
