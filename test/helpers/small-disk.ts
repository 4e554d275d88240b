import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** File systems in memory, to fill a disk without filling the machine's. */

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

const mountAt = (folder: string, size: string): boolean =>
  process.platform === 'linux' && succeeds('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)

/** Only Linux's superuser can mount. */
export function canMountSmallDisks(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const can = mountAt(probe, '64k')
  if (can) succeeds('umount', probe)
  rmSync(probe, { recursive: true, force: true })
  return can
}

/** A folder on a file system of this size, e.g. `8m`; `whenDone` gets its removal. */
export function smallDisk(size: string, whenDone: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  if (!mountAt(folder, size)) throw new Error(`Could not mount a disk of ${size}.`)
  whenDone(() => {
    succeeds('umount', '--lazy', folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Mounts a folder on itself read-only, even for the superuser; `whenDone` gets the end. */
export function mountReadOnly(folder: string, whenDone: (end: () => void) => void): void {
  whenDone(() => void succeeds('umount', '--lazy', folder))
  if (succeeds('mount', '--bind', folder, folder) && succeeds('mount', '-o', 'remount,ro,bind', folder))
    return
  throw new Error(`Could not make ${folder} read-only.`)
}

/** Except what SQLite maps: Linux would kill the process. */
function setImmutable(folder: string, isOn: boolean): boolean {
  const within = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const paths = [...within, folder].filter((path) => !/(?:-shm|\.sock)$/.test(path))
  return process.platform === 'linux' && succeeds('chattr', isOn ? '+i' : '-i', ...paths)
}

/** Only Linux's superuser can, and not on every file system. */
export function canMakeReadOnly(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const can = setImmutable(probe, true)
  if (can) setImmutable(probe, false)
  rmSync(probe, { recursive: true, force: true })
  return can
}

/** Including open files. Returns the undo. */
export function makeReadOnly(folder: string): () => void {
  setImmutable(folder, true)
  return () => void setImmutable(folder, false)
}

/** Until nothing fits, without blocking this process. Returns the undo. */
export async function fillDisk(folder: string): Promise<() => void> {
  const filler = join(folder, 'filler')
  let most = Infinity
  for (const size of [1_000_000, 10_000, 1000, 100, 10, 1]) {
    const block = Buffer.alloc(size)
    // At most as many small files as make a larger one: otherwise freed space would be filled for ever.
    for (let count = 0; count < most; count++) {
      try {
        await appendFile(filler, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') break
        throw error
      }
    }
    most = 100
  }
  return () => rmSync(filler, { force: true })
}
