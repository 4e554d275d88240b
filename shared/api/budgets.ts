import { z } from 'zod'

const Step = z.object({ from: z.number(), maxOutputTokens: z.int() })

export const BudgetState = z.object({
  name: z.string(),
  client: z.string().optional(),
  project: z.string().optional(),
  unit: z.enum(['tokens', 'dollars']),
  limit: z.number(),
  /** In this period so far. */
  spent: z.number(),
  /** Tokens of clients whose model isn't known; only of a budget in dollars. */
  unpriced: z.int(),
  /** Local time, such as 2026-11 or 2026-11-25. */
  period: z.string(),
  /** Unix milliseconds. */
  ends: z.number(),
  /** At its end, if it goes on as so far; left out at its beginning. */
  forecast: z.number().optional(),
  /** In force. */
  step: Step.optional(),
  next: Step.optional(),
})
export type BudgetState = z.infer<typeof BudgetState>
