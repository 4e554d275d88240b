import type { Logger } from '../ground/logger.ts'
import type { NewQuarantined, Quarantined } from './quarantine-store.ts'
import type { RevealOptions } from './reveal-result.ts'
import type { ScanVerdict } from './judge.ts'
import type { PlacedText } from './texts-in.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** A detector found an attack, whatever the policy then did. */
    'attack-found': AttackFound
  }
}

export interface GuardOptions extends RevealOptions {
  /** One verdict on all these texts together, from every detector; never rejects for a detector that failed. */
  readonly scan: (texts: readonly PlacedText[], threshold: number) => ScanVerdict | Promise<ScanVerdict>
  /** The same on the spot, by the built-in detectors alone; throws where they fail. */
  readonly scanNow: (texts: readonly PlacedText[], threshold: number) => ScanVerdict
  /** Runs `then` once `scanNow` can work, or will not come to it: at once if possible, and in the order of the calls. */
  readonly whenLoaded: (then: () => void) => void
  readonly quarantine: (entry: NewQuarantined) => Promise<Quarantined>
  /** Told of every attack that was found, and of what could not be scanned, whatever the policy does with it. */
  readonly onAttack: (attack: AttackFound) => void
  readonly logger: Logger
  /** Characters of the largest result that is scanned whole. */
  readonly scannedWhole?: number
}

export interface AttackFound {
  /** `said`: beside a result, as a log line or progress. */
  readonly where: 'arguments' | 'result' | 'said' | 'question'
  readonly client: string
  readonly server: string
  readonly tool: string
  readonly score: number
  readonly reasons: readonly string[]
  readonly quarantineId: string | undefined
  /** Set where nothing was found because nobody could look: no attack is claimed then. */
  readonly isUnscanned?: boolean
}
