/** What a finding is about. `detector-failed` stands for a detector that threw or was late: guards fail closed, see `judge`. */
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
  /** How sure the detector is that this alone is an attack, 0 to 1. */
  readonly score: number
  /** UTF-16 offsets into the scanned text, that at `path` where there is one; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** One sentence for people. It may quote the text and so must never be sent to a model. */
  readonly reason: string
  /** JSON pointer of the text within the definition or result that was scanned. */
  readonly path?: string
}

/** Something a server says about itself: it stands in every conversation, so it is judged more strictly than a result. */
export interface Definition {
  readonly type: 'instructions' | 'tool' | 'prompt' | 'resource' | 'resource-template'
  readonly name: string
  /** As the server sent it. */
  readonly value: unknown
  /** Names of tools of *other* servers, so that a definition that talks about them can be told. */
  readonly foreignTools?: readonly string[]
}

export interface Detector {
  readonly name: string
  readonly scanDefinition: (definition: Definition) => readonly Finding[] | Promise<readonly Finding[]>
  readonly scanText: (text: string) => readonly Finding[] | Promise<readonly Finding[]>
}

/** Whether it only says that a detector could not look. */
export const isFailure = ({ kind }: Finding): boolean => kind === 'detector-failed'

/** What stands in place of the findings of a detector that failed. */
export const failedDetector = (detector: string, why: string): Finding => ({
  detector,
  kind: 'detector-failed',
  score: 1,
  start: 0,
  end: 0,
  reason: `The detector "${detector}" failed (${why}), so nobody has looked at this text.`,
})

/** A detector that computes its findings on the spot, as the built-in ones do. */
export interface ImmediateDetector extends Detector {
  readonly scanDefinition: (definition: Definition) => readonly Finding[]
  readonly scanText: (text: string) => readonly Finding[]
}
