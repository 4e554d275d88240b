import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file in memory that threads share, without a copy of it in between. */
export function readShared(path: URL): SharedArrayBuffer {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(file).size))
    for (let at = 0; at < bytes.length;) {
      const count = readSync(file, bytes, at, bytes.length - at, null)
      if (count === 0) throw new Error(`${path.pathname} became shorter while it was read`)
      at += count
    }
    return bytes.buffer
  } finally {
    closeSync(file)
  }
}
