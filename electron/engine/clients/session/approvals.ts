import type { Offer } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'

/** What sessions need of approvals. */
export interface Approvals {
  /** Call before `check`: may pin the introduction of a server approved before introductions were pinned. */
  meetIntroduction(serverId: string, offer: Offer): Promise<void>
  check(serverId: string, offer: Offer): Verdict
  /** The same in portions, yielding to other work: for a new listing. */
  checkInTurns(serverId: string, offer: Offer): Promise<Verdict>
  /** Before `check`: waits for another process's writing without blocking. */
  settled(): Promise<void>
  /** Changes when an earlier verdict may no longer hold. */
  version(): number
  onChange(listener: () => void): () => void
  waiting(serverId: string, identity: string): Promise<Waiting>
  /** Approves exactly these for the user. Returns how many still waited. */
  approve(identity: string, hashes: readonly string[], by: string): number
}

/** A server's pending changes: text, hashes and detectors' findings. */
export interface Waiting {
  readonly summary: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}
