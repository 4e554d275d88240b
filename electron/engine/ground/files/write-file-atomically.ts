import { realpathSync, statSync, writeFileSync } from 'node:fs'
import { replaceFile } from './replace-file.ts'

/** Readers never see half a file. Follows a symbolic link and keeps the mode; a new file gets `mode`. */
export function writeFileAtomically(path: string, content: string, mode = 0o600): void {
  const target = existing(path) ? realpathSync(path) : path
  replaceFile(target, existing(target)?.mode ?? mode, (descriptor) => {
    try {
      writeFileSync(descriptor, content)
    } catch (error) {
      throw error instanceof Error ? Object.assign(error, { path }) : error
    }
  })
}

const existing = (path: string) => statSync(path, { throwIfNoEntry: false })
