import { z } from 'zod'

/** With its 95 % interval: Wilson's for shares, a bootstrap's for means. */
export const Estimate = z.object({
  /** How many results it is of. */
  of: z.int(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
})
export type Estimate = z.infer<typeof Estimate>

const TrialGroup = z.object({
  results: z.int(),
  before: z.int(),
  after: z.int(),
  /** Share of calls made again at once with the same arguments. */
  repeated: Estimate,
  /** Share of results read back in part. */
  fetched: Estimate,
  /** Share after which the session's next call failed. */
  nextFailed: Estimate,
  /** Mean of the session's calls after the result. */
  laterCalls: Estimate,
  /** Mean of its turns, where they are known. */
  laterTurns: Estimate,
})
export type TrialGroup = z.infer<typeof TrialGroup>

export const TrialReport = z.object({ held: TrialGroup, shortened: TrialGroup })
export type TrialReport = z.infer<typeof TrialReport>
