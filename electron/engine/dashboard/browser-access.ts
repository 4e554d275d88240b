import { randomBytes, timingSafeEqual } from 'node:crypto'

const COOKIE = 'sluice_session'
const LINK_VALID_MS = 10 * 60_000

/**
 * How a browser gets in: a link that works once, printed where only this machine's user reads it, and then a cookie
 * that no script can read and no other site can make the browser send. Both are forgotten when the engine ends.
 */
export interface BrowserAccess {
  /** The code of a new one-time link; older ones that nobody used stay valid for ten minutes. */
  newLinkCode(): string
  /** The `Set-Cookie` value for a code that was never used before; undefined for any other. */
  redeem(code: string): string | undefined
  /** Whether a request's `Cookie` header carries the session. */
  admits(cookieHeader: string | undefined): boolean
}

/** `now`: milliseconds on a clock that nobody can set back. */
export function createBrowserAccess(now: () => number): BrowserAccess {
  const session = randomBytes(32).toString('base64url')
  const codes = new Map<string, number>()
  return {
    newLinkCode: () => {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, now() + LINK_VALID_MS)
      return code
    },
    redeem: (code) => {
      const validUntil = codes.get(code)
      codes.delete(code)
      if (validUntil === undefined || validUntil < now()) return undefined
      return `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
    admits: (cookieHeader) =>
      (cookieHeader ?? '').split(';').some((pair) => {
        const [name, value] = pair.trim().split('=', 2)
        return name === COOKIE && value !== undefined && isSame(value, session)
      }),
  }
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
