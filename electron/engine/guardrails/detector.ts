/** Kind of finding. `detector-failed`: a detector threw or timed out; guards fail closed, see `judge`. */
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
  /** Name of the detector that reports it. */
  readonly detector: string
  readonly kind: FindingKind
  /** Probability that this alone is an attack, 0 to 1. */
  readonly score: number
  /** UTF-16 offsets in the scanned text (at `path`, if given); `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** One sentence for people. May quote the text, so never send it to a model. */
  readonly reason: string
  /** Identifies the rule if its reason varies before the first colon, for example by a count. */
  readonly rule?: string
  /** JSON pointer of the text within the scanned definition or result. */
  readonly path?: string
}

/** A server's self-description: part of every conversation, so judged more strictly than results. */
export interface Definition {
  readonly type: 'instructions' | 'tool' | 'prompt' | 'resource' | 'resource-template'
  readonly name: string
  /** As the server sent it. */
  readonly value: unknown
  /** Tool names of other servers, to detect definitions that mention them. */
  readonly foreignTools?: readonly string[]
}

export interface Detector {
  readonly name: string
  readonly scanDefinition: (definition: Definition) => readonly Finding[] | Promise<readonly Finding[]>
  readonly scanText: (text: string) => readonly Finding[] | Promise<readonly Finding[]>
}

/** Whether it only says that a detector could not look. */
export const isFailure = ({ kind }: Finding): boolean => kind === 'detector-failed'

/** The finding of a failed detector. */
export const failedDetector = (detector: string, why: string): Finding => ({
  detector,
  kind: 'detector-failed',
  score: 1,
  start: 0,
  end: 0,
  reason: `The detector "${detector}" failed (${why}), so nobody has looked at this text.`,
})

/** A synchronous detector, like the built-in ones. */
export interface ImmediateDetector extends Detector {
  readonly scanDefinition: (definition: Definition) => readonly Finding[]
  readonly scanText: (text: string) => readonly Finding[]
}
