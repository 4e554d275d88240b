export type CallOutcome = 'ok' | 'error' | 'refused' | 'cancelled'

/** One tool call. Tokens are o200k_base, times Unix milliseconds. */
export interface CallRow {
  readonly id: string
  readonly at: number
  readonly client: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly outcome: CallOutcome
  /** What the server's result would have cost, and what the client got, header included. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** What Sluice cost in this call besides its result: the model's words in Sluice's own parameters. */
  readonly tokensAdded: number
  readonly strategy: string | undefined
  readonly resultId: string | undefined
  readonly ms: number
  readonly cached: boolean
  /** Why it was refused or failed, or why a large result passed as it was. */
  readonly note: string | undefined
}
