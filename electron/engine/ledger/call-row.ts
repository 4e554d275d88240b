declare module '../ground/events.ts' {
  interface EngineEvents {
    'call-recorded': CallRow
  }
}

/** With a hold-out, each result that is large enough passes whole or is shortened. */
export type Trial = 'held' | 'shortened'

export type CallOutcome = 'ok' | 'error' | 'refused' | 'cancelled'

/** Tokens are o200k_base, times Unix milliseconds. */
export interface CallRow {
  readonly id: string
  readonly at: number
  readonly client: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly outcome: CallOutcome
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly tokensAdded: number
  readonly strategy: string | undefined
  readonly resultId: string | undefined
  readonly ms: number
  readonly cached: boolean
  readonly note: string | undefined
  /** Group of a hold-out. */
  readonly trial?: Trial | undefined
}
