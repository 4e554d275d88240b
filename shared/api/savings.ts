import { z } from 'zod'

/** In o200k_base tokens. `net` = before − after − added − fetched. */
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

/** Unix milliseconds, `from` inclusive, `to` exclusive. */
export const TimeRange = z.object({ from: z.coerce.number(), to: z.coerce.number() })
