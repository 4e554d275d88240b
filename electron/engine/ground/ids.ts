import { randomBytes } from 'node:crypto'

const BYTES = 9
const CHARACTERS = (BYTES * 4) / 3
/** Random bytes for many ids cost as much as for a few. */
const AT_ONCE = 512

/** `c_q3Zt0aWkBv8L`: 72 random bits. */
export function createIds(): (prefix: string) => string {
  let random = ''
  let used = 0
  return (prefix) => {
    if (used >= random.length) {
      random = randomBytes(BYTES * AT_ONCE).toString('base64url')
      used = 0
    }
    const id = random.slice(used, used + CHARACTERS)
    used += CHARACTERS
    return `${prefix}_${id}`
  }
}
