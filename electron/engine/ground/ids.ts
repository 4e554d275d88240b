import { randomBytes } from 'node:crypto'

/** base64url's, in the order of their codes. */
const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
/** Milliseconds until the year 2109. */
const TIME_DIGITS = 7
const BYTES = 9
const CHARACTERS = (BYTES * 4) / 3
/** Random bytes for many ids cost as much as for a few. */
const AT_ONCE = 512

/**
 * `c_Pb-_k2Rq3Zt0aWkBv8L`: when, and 72 random bits. Later ids are greater, so that a table's next row is in the page
 * of the one before. `now`: Unix milliseconds.
 */
export function createIds(now: () => number): (prefix: string) => string {
  let random = ''
  let used = 0
  let latest = Number.NaN
  let time = ''
  return (prefix) => {
    if (used >= random.length) {
      random = randomBytes(BYTES * AT_ONCE).toString('base64url')
      used = 0
    }
    const at = now()
    if (at !== latest) [latest, time] = [at, timeOf(at)]
    const id = random.slice(used, used + CHARACTERS)
    used += CHARACTERS
    return `${prefix}_${time}${id}`
  }
}

function timeOf(at: number): string {
  let text = ''
  for (let rest = Math.floor(at); text.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length))
    text = `${DIGITS[rest % DIGITS.length] ?? ''}${text}`
  return text
}
