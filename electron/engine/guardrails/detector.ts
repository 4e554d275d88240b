/** `detector-failed`: threw or timed out; guards fail closed, see `judge`. */
export type FindingKind =
  | 'override'
  | 'fake-role'
  | 'addresses-model'
  | 'persona'
  | 'prompt-leak'
  | 'concealment'
  | 'exfiltration'
  | 'shadowing'
  | 'credential-path'
  | 'encoded-payload'
  | 'invisible-characters'
  | 'bidirectional-override'
  | 'hidden-tag-text'
  | 'homoglyphs'
  | 'reads-like-an-attack'
  | 'detector-failed'

export interface Finding {
  /** Detector name. */
  readonly detector: string
  readonly kind: FindingKind
  /** Probability that this alone is an attack, 0 to 1. */
  readonly score: number
  /** UTF-16 offsets in the scanned text (at `path`, if any); `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** One sentence for people. May quote the text, so never send it to a model. */
  readonly reason: string
  /** Identifies the rule if its reason varies before the first colon, e.g. by a count. */
  readonly rule?: string
  readonly path?: string
}

/** Part of every conversation, so judged more strictly than results. */
export interface Definition {
  readonly type: 'instructions' | 'tool' | 'prompt' | 'resource' | 'resource-template'
  readonly name: string
  /** As received. */
  readonly value: unknown
  readonly foreignTools?: readonly string[]
}

export interface Detector {
  readonly name: string
  readonly scanDefinition: (definition: Definition) => readonly Finding[] | Promise<readonly Finding[]>
  readonly scanText: (text: string) => readonly Finding[] | Promise<readonly Finding[]>
}

export const isFailure = ({ kind }: Finding): boolean => kind === 'detector-failed'

export const failedDetector = (detector: string, why: string): Finding => ({
  detector,
  kind: 'detector-failed',
  score: 1,
  start: 0,
  end: 0,
  reason: `The detector "${detector}" failed (${why}), so nobody has looked at this text.`,
})

/** Synchronous, like the built-in ones. */
export interface ImmediateDetector extends Detector {
  readonly scanDefinition: (definition: Definition) => readonly Finding[]
  readonly scanText: (text: string) => readonly Finding[]
}
