import {
  chownSync,
  fchmodSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { namingFile } from '../ground/files/explain-file-failure.ts'
import { makeFolder } from '../ground/files/make-folder.ts'
import { replaceFile } from '../ground/files/replace-file.ts'
import type { ClientFiles } from './client-files.ts'

export const nodeClientFiles: ClientFiles = {
  facts(path) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return undefined
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
    return { kind, mode: found.mode & 0o7777, owner: found.uid, group: found.gid, size: found.size }
  },
  realPath: (path) => realpathSync(path),
  read: (path) => readFileSync(path),
  list(folder) {
    try {
      return readdirSync(folder).sort()
    } catch {
      return []
    }
  },
  replace(path, bytes, { mode, owner, group }) {
    replaceFile(path, 0o600, (descriptor, temporary) => {
      writeFileSync(descriptor, bytes)
      // Owner first, because changing it clears special mode bits.
      keepOwner(temporary, owner, group)
      fchmodSync(descriptor, mode)
    })
  },
  create(path, bytes) {
    makeFolder(dirname(path))
    namingFile(path, () => writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 }))
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
}

/** Only if it differs: without rights even an unchanged owner may be refused. No owner on Windows. */
function keepOwner(path: string, owner: number, group: number): void {
  const now = statSync(path)
  if (now.uid !== owner || now.gid !== group) chownSync(path, owner, group)
}
