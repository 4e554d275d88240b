import { realpathSync, statSync, writeFileSync } from 'node:fs'
import { replaceFile } from './replace-file.ts'

/**
 * Puts `content` in the place of the file, so that a reader sees the old text or the new one, never half of it.
 * Follows a symbolic link and keeps the file's mode; a new file gets `mode`.
 */
export function writeFileAtomically(path: string, content: string, mode = 0o600): void {
  const target = existing(path) ? realpathSync(path) : path
  replaceFile(target, existing(target)?.mode ?? mode, (descriptor) => {
    try {
      writeFileSync(descriptor, content)
    } catch (error) {
      // A write to an open file fails without saying which: whoever reads of it needs the name.
      throw error instanceof Error ? Object.assign(error, { path }) : error
    }
  })
}

const existing = (path: string) => statSync(path, { throwIfNoEntry: false })
