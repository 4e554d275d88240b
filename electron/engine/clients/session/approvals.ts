import type { Offer } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'

export interface Approvals {
  /** Before `check`: pins the introduction of servers approved by older versions. */
  meetIntroduction(serverId: string, offer: Offer): Promise<void>
  check(serverId: string, offer: Offer): Verdict
  /** Yields to other work. */
  checkInTurns(serverId: string, offer: Offer): Promise<Verdict>
  settled(): Promise<void>
  /** Changes when verdicts may be outdated. */
  version(): number
  onChange(listener: () => void): () => void
  waiting(serverId: string, identity: string): Promise<Waiting>
  /** Approves exactly these hashes. Returns how many still waited. */
  approve(identity: string, hashes: readonly string[], by: string): number
}

export interface Waiting {
  readonly summary: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}
