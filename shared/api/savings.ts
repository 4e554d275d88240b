import { z } from 'zod'

/**
 * In o200k_base tokens. `net` = before − after − added − fetched: servers' results, what clients got instead, Sluice's
 * own tools and parameters with the model's words in them, and later fetches of stored results.
 */
export const Savings = z.object({
  calls: z.int(),
  errors: z.int(),
  refused: z.int(),
  cancelled: z.int(),
  cached: z.int(),
  before: z.int(),
  after: z.int(),
  added: z.int(),
  fetched: z.int(),
  net: z.int(),
})
export type Savings = z.infer<typeof Savings>

/** List price in US dollars of net tokens. */
export const Worth = z.object({
  dollars: z.number(),
  /** Net tokens that are priced; the others are of unknown models. */
  priced: z.int(),
  /** Of the dollars: for later turns. */
  laterDollars: z.number(),
  /** Net tokens times the later turns that would have sent them again. */
  later: z.int(),
})
export type Worth = z.infer<typeof Worth>

export const ValuedSavings = Savings.extend({ worth: Worth })

/** How far clients' turns are known. */
export const KnownTurns = z.object({
  turns: z.int(),
  /** Sessions with calls … */
  sessions: z.int(),
  /** … and those of them with known turns. */
  sessionsWithTurns: z.int(),
})
export type KnownTurns = z.infer<typeof KnownTurns>

/** Unix milliseconds, `from` inclusive, `to` exclusive. */
export const TimeRange = z.object({ from: z.coerce.number(), to: z.coerce.number() })
export type TimeRange = z.infer<typeof TimeRange>
