import type { Offer } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'

/** What sessions need of approvals. */
export interface Approvals {
  /** To be called before `check`: may pin the introduction of a server that was approved before introductions were. */
  meetIntroduction(serverId: string, offer: Offer): Promise<void>
  check(serverId: string, offer: Offer): Verdict
  /** The same, with turns for everybody else in between: for an offer that was just read. */
  checkInTurns(serverId: string, offer: Offer): Promise<Verdict>
  /** Before `check`: waits for another process that is writing, without holding up this one. */
  settled(): Promise<void>
  /** Changes when an earlier verdict may no longer hold. */
  version(): number
  onChange(listener: () => void): () => void
  waiting(identity: string): Promise<Waiting>
  /** Approves exactly these, in the name of the person who was asked. Returns how many of them still waited. */
  approve(identity: string, hashes: readonly string[], by: string): number
}

/** What waits for the user's word on one server: in words, by hash, and what detectors notice in it. */
export interface Waiting {
  readonly summary: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}
