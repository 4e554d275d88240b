import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

export interface RotatingFileOptions {
  path: string
  /** Then the file becomes `path.1`. */
  maxBytes: number
  /** `path.1` (newest) … `path.keep`. */
  keep: number
}

export interface RotatingFile {
  /** Whole lines. Never throws: unwritable ones are lost. */
  write(text: string): void
  close(): void
}

/** Several processes may append: while one engine takes the place of another, both run. */
export function openRotatingFile({ path, maxBytes, keep }: RotatingFileOptions): RotatingFile {
  let descriptor: number | undefined
  let size = 0
  let closed = false

  const open = (): number => {
    makeFolder(dirname(path))
    descriptor = openSync(path, 'a+', 0o600)
    size = fstatSync(descriptor).size
    const last = Buffer.from('\n')
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1)
    // A full disk or a crash cut a line: the next is not joined to it.
    if (last.toString() !== '\n') size += writeSync(descriptor, '\n')
    return descriptor
  }

  const shut = (): void => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }

  const rotate = (): void => {
    // Another process may have rotated already.
    const mine = descriptor === undefined || fstatSync(descriptor).ino === inodeOf(path)
    shut()
    if (!mine) return
    try {
      for (let number = keep - 1; number >= 1; number--) {
        moveIfThere(`${path}.${number}`, `${path}.${number + 1}`)
      }
      if (keep > 0) moveIfThere(path, `${path}.1`)
      else closeSync(openSync(path, 'w', 0o600))
    } catch {
      // Windows can't rename a file open elsewhere: it grows until then.
    }
  }

  return {
    write: (text) => {
      if (closed) return
      try {
        descriptor ??= open()
        const bytes = Buffer.byteLength(text)
        if (size > 0 && size + bytes > maxBytes) {
          rotate()
          descriptor ??= open()
        }
        const written = writeSync(descriptor, text)
        size += written
        if (written < bytes) shut()
      } catch {
        // Full disk or removed folder: this line is lost, the next retries.
        try {
          shut()
        } catch {
          descriptor = undefined
        }
      }
    },
    close: () => {
      closed = true
      shut()
    },
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino

const moveIfThere = (from: string, to: string): void => {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to)
}
