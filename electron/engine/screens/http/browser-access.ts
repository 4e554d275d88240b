import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccessProof } from '../../../../shared/access-proof.ts'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { AdmittedBrowsers } from './admitted-browsers.ts'
import { browserName } from './browser-name.ts'
import { verifyProof } from './verify-proof.ts'

const LINK_VALID_MS = 10 * 60_000
const CHALLENGE_VALID_MS = 60_000
const SESSION_VALID_MS = 3600_000
/** One per loaded page; unused ones expire. */
const MOST_SESSIONS = 1000

/** `link`: used or expired. `unknown`: a valid key without admission. */
export type Refused = 'link' | 'proof' | 'unknown'

export interface Admission {
  /** Checked again, because streams last long. */
  readonly holds: () => boolean
}

/**
 * A single-use link, readable only by this user, admits a key that the page created in its origin and can't export.
 * Signing with it gives the page a session, sent in a header and kept in memory. Browsers send none of this by
 * themselves, to any port.
 */
export interface BrowserAccess {
  readonly newLinkCode: () => string
  readonly newChallenge: () => string
  /** By an admitted key at `origin`, or a link's code. */
  enter(
    proof: AccessProof,
    origin: string,
    userAgent: string | undefined,
  ): { session: string } | { refused: Refused }
  readonly admissionOf: (session: string | undefined) => Admission | undefined
}

export interface BrowserAccessOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly browsers: Pick<AdmittedBrowsers, 'has' | 'admit' | 'use'>
  readonly logger: Pick<Logger, 'warn'>
}

export function createBrowserAccess({ now, browsers, logger }: BrowserAccessOptions): BrowserAccess {
  const links = new Map<string, number>()
  const sessions = new Map<
    string,
    { readonly id: string; readonly isKept: boolean; readonly endsAt: number }
  >()
  const secret = randomBytes(32)
  /** Until they expire. */
  const spent = new Map<string, number>()

  const sealOf = (body: string): string => createHmac('sha256', secret).update(body).digest('base64url')
  const takeLink = (code: string): boolean => {
    const validUntil = links.get(code)
    links.delete(code)
    return validUntil !== undefined && now() <= validUntil
  }
  const isFresh = (challenge: string): boolean => {
    const [until = '', nonce = '', seal = ''] = challenge.split('.')
    return isSame(seal, sealOf(`${until}.${nonce}`)) && now() <= Number(until) && !spent.has(challenge)
  }
  const open = (id: string, isKept: boolean): { session: string } => {
    const session = randomBytes(32).toString('base64url')
    for (const [key, { endsAt }] of sessions)
      if (endsAt < now() || sessions.size >= MOST_SESSIONS) sessions.delete(key)
    sessions.set(digest(session), { id, isKept, endsAt: now() + SESSION_VALID_MS })
    return { session }
  }
  /** On a full disk for this session only. */
  const admit = (id: string, name: string): boolean => {
    try {
      browsers.admit({ id, name })
      return true
    } catch (error) {
      logger.warn(
        'A browser that opened a link can stay for an hour only: the data folder can’t be written.',
        {
          error: messageOf(error),
        },
      )
      return false
    }
  }
  const use = (id: string): void => {
    try {
      browsers.use(id)
    } catch (error) {
      logger.warn('The last use of a browser could not be noted.', { error: messageOf(error) })
    }
  }

  return {
    newLinkCode: () => {
      const code = randomBytes(24).toString('base64url')
      for (const [old, validUntil] of links) if (validUntil < now()) links.delete(old)
      links.set(code, now() + LINK_VALID_MS)
      return code
    },
    newChallenge: () => {
      const body = `${now() + CHALLENGE_VALID_MS}`.split('.')[0] + `.${randomBytes(18).toString('base64url')}`
      return `${body}.${sealOf(body)}`
    },
    enter: (proof, origin, userAgent) => {
      const id = verifyProof(proof, origin)
      if (id === undefined) return { refused: 'proof' }
      const { challenge } = proof
      if (!challenge.includes('.'))
        return takeLink(challenge) ? open(id, admit(id, browserName(userAgent))) : { refused: 'link' }
      if (!isFresh(challenge)) return { refused: 'proof' }
      if (!browsers.has(id)) return { refused: 'unknown' }
      for (const [old, until] of spent) if (until < now()) spent.delete(old)
      spent.set(challenge, now() + CHALLENGE_VALID_MS)
      use(id)
      return open(id, true)
    },
    admissionOf: (session) => {
      const found = session === undefined ? undefined : sessions.get(digest(session))
      if (!found || found.endsAt < now()) return undefined
      const holds = (): boolean => (found.isKept ? browsers.has(found.id) : found.endsAt >= now())
      return holds() ? { holds } : undefined
    },
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
