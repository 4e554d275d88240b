import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/**
 * Puts `content` in the place of the file, so that a reader sees the old text or the new one, never half of it.
 * Follows a symbolic link and keeps the file's mode; a new file gets `mode`.
 */
export function writeFileAtomically(path: string, content: string, mode = 0o600): void {
  const target = existing(path) ? realpathSync(path) : path
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx', existing(target)?.mode ?? mode)
    try {
      writeFileSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

const existing = (path: string) => statSync(path, { throwIfNoEntry: false })
