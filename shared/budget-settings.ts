import { z } from 'zod'

const BudgetStep = z.strictObject({
  from: z.number().min(0.01).max(1).describe('Share of the budget from which it applies: 0.7 is 70 %.'),
  maxOutputTokens: z
    .int()
    .min(100)
    .describe("A shortened result has at most this many tokens; a tool's own smaller limit stays."),
  tokenThreshold: z
    .int()
    .positive()
    .optional()
    .describe('Results with at most this many tokens pass untouched; unless set, as without the budget.'),
})
export type BudgetStep = z.infer<typeof BudgetStep>

export const BudgetSettings = z
  .strictObject({
    client: z.string().min(1).optional().describe('Only of this AI app, by its name in Activity.'),
    project: z.string().min(1).optional().describe('Only of clients that run in this folder or below it.'),
    period: z.enum(['day', 'month']).default('month').describe('Local days or months.'),
    tokens: z
      .int()
      .positive()
      .optional()
      .describe('What clients may get through Sluice, in o200k_base tokens.'),
    dollars: z
      .number()
      .positive()
      .optional()
      .describe("The same at list price, by the clients' models. Clients of unknown models count nothing."),
    steps: z
      .array(BudgetStep)
      .min(1)
      .default([
        { from: 0.7, maxOutputTokens: 700 },
        { from: 0.9, maxOutputTokens: 500 },
      ])
      .describe('How results get shorter as the budget is used. Nothing is refused.'),
  })
  .refine(({ tokens, dollars }) => (tokens === undefined) !== (dollars === undefined), {
    message: 'A budget needs either tokens or dollars, not both.',
  })
export type BudgetSettings = z.infer<typeof BudgetSettings>

/** Part of the header line of shortened results. */
export const BudgetName = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,38}[\p{L}\p{N}])?$/u,
    'Use at most 40 letters, digits and " ._-".',
  )
