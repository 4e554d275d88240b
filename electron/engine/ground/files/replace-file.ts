import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { namingFile } from './explain-file-failure.ts'

/** Readers never see half a file. `fill` gets descriptor and temporary name; if it throws, nothing changes. */
export function replaceFile(
  path: string,
  mode: number,
  fill: (descriptor: number, temporary: string) => void,
): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', mode)
    try {
      namingFile(path, () => {
        fill(descriptor, temporary)
        fsyncSync(descriptor)
      })
    } finally {
      closeSync(descriptor)
    }
    renamePatiently(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** On Windows scanners and indexers lock files briefly. */
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
