import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Small file systems in memory, so that a disk can be full without filling the machine's own. */

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

const mountAt = (folder: string, size: string): boolean =>
  process.platform === 'linux' && succeeds('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)

/** Only a superuser of Linux can mount. */
export function canMountSmallDisks(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const can = mountAt(probe, '64k')
  if (can) succeeds('umount', probe)
  rmSync(probe, { recursive: true, force: true })
  return can
}

/** A new folder on a file system of its own of this size, `8m` for example; `whenDone` gets what takes it away. */
export function smallDisk(size: string, whenDone: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  if (!mountAt(folder, size)) throw new Error(`Could not mount a disk of ${size}.`)
  whenDone(() => {
    succeeds('umount', '--lazy', folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Mounts a folder upon itself so that nobody can write into it, its superuser neither; `whenDone` gets what ends that. */
export function mountReadOnly(folder: string, whenDone: (end: () => void) => void): void {
  whenDone(() => void succeeds('umount', '--lazy', folder))
  if (succeeds('mount', '--bind', folder, folder) && succeeds('mount', '-o', 'remount,ro,bind', folder))
    return
  throw new Error(`Could not make ${folder} read-only.`)
}

/** All but what SQLite maps into its memory, to which Linux answers with the end of the process, whoever makes it read-only. */
function setImmutable(folder: string, isOn: boolean): boolean {
  const within = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  const paths = [...within, folder].filter((path) => !/(?:-shm|\.sock)$/.test(path))
  return process.platform === 'linux' && succeeds('chattr', isOn ? '+i' : '-i', ...paths)
}

/** Only a superuser of Linux can, and not on every file system. */
export function canMakeReadOnly(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const can = setImmutable(probe, true)
  if (can) setImmutable(probe, false)
  rmSync(probe, { recursive: true, force: true })
  return can
}

/** Nothing in this folder can be changed from here on, open files neither. Returns what takes it back. */
export function makeReadOnly(folder: string): () => void {
  setImmutable(folder, true)
  return () => void setImmutable(folder, false)
}

/** Writes until nothing more fits, while what else this process does goes on. Returns what frees the space again. */
export async function fillDisk(folder: string): Promise<() => void> {
  const filler = join(folder, 'filler')
  let most = Infinity
  for (const size of [1_000_000, 10_000, 1000, 100, 10, 1]) {
    const block = Buffer.alloc(size)
    // Of a smaller size no more than make one of the larger: somebody who frees space meanwhile would be fought without end.
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
