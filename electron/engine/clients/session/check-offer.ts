import type { Offer } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import { isEndless } from './list-all.ts'
import { codeOf } from './read-offer.ts'

export interface CheckedOffer {
  readonly offer: Offer
  readonly version: number
  readonly verdict: Verdict
}

export async function checkOffer(
  serverId: string,
  offer: Offer,
  approvals: Approvals,
): Promise<CheckedOffer> {
  await approvals.settled()
  await approvals.meetIntroduction(serverId, offer)
  // Before the check: a later decision is noticed.
  const version = approvals.version()
  return { offer, version, verdict: await approvals.checkInTurns(serverId, offer) }
}

export const unreadOffer = (serverId: string, cause: unknown): SluiceError =>
  new SluiceError(
    'CALL_REFUSED',
    isEndless(cause)
      ? `${cause.message} None of its tools can be called.`
      : `Server "${serverId}" did not say what it offers now (${codeOf(cause)}), so nothing can be called. Try again.`,
    { cause },
  )
