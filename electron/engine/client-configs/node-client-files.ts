import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { ClientFiles } from './client-files.ts'

/** The real file system. */
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
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const descriptor = openSync(temporary, 'wx', 0o600)
      try {
        writeFileSync(descriptor, bytes)
        // The owner first: changing it takes special bits off the mode.
        keepOwner(temporary, owner, group)
        fchmodSync(descriptor, mode)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      renamePatiently(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  },
  create(path, bytes) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
}

/** Asked only where it differs: without rights even "change it to what it is" may be refused. Windows has no owner here. */
function keepOwner(path: string, owner: number, group: number): void {
  const now = statSync(path)
  if (now.uid !== owner || now.gid !== group) chownSync(path, owner, group)
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
