import { randomBytes } from 'node:crypto'

const BYTES = 9
/** Asking the system for random bytes takes as long for many as for a few. */
const AT_ONCE = 512

/** Makes ids such as `c_q3Zt0aWkBv8L`: 72 random bits that nobody can guess. */
export function createIds(): (prefix: string) => string {
  let bytes = Buffer.alloc(0)
  let used = 0
  return (prefix) => {
    if (used + BYTES > bytes.length) {
      bytes = randomBytes(BYTES * AT_ONCE)
      used = 0
    }
    const id = bytes.toString('base64url', used, used + BYTES)
    used += BYTES
    return `${prefix}_${id}`
  }
}
