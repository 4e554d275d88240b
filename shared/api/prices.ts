import { z } from 'zod'

const perMillion = z.number().min(0).max(100_000)

/** A provider's prompt cache. Factors are relative to the input price. */
export const CacheRules = z.object({
  /** For the usual life … */
  write: z.number().min(0).max(100),
  /** … and for the long one. */
  longWrite: z.number().min(0).max(100),
  read: z.number().min(0).max(100),
  lifeMinutes: z.number().positive(),
  longLifeMinutes: z.number().positive(),
  /** A shorter prompt isn't cached. */
  minimumTokens: z.int().min(0),
})
export type CacheRules = z.infer<typeof CacheRules>

/** List price in US dollars per million tokens. */
export const Price = z.object({
  model: z.string().min(1).max(100),
  /** Other names of the same model. */
  aliases: z.array(z.string()).optional(),
  provider: z.string().max(100),
  inputPerMillion: perMillion,
  outputPerMillion: perMillion.optional(),
  /** Undefined: not known. */
  cache: CacheRules.optional(),
  /** Prices of a whole request with a longer prompt. */
  longPrompt: z
    .object({
      aboveTokens: z.int().positive(),
      inputPerMillion: perMillion,
      outputPerMillion: perMillion,
    })
    .optional(),
  /** First day, such as 2026-10-07, of a model with several prices. */
  from: z.iso.date().optional(),
  /** Last day for which the source is known to say so, such as 2026-11-22. */
  date: z.string().max(40),
  source: z.string().max(500),
  /** Conditions. */
  note: z.string().max(500).optional(),
  isOwn: z.boolean(),
})
export type Price = z.infer<typeof Price>

/** What the user may set. */
export const OwnPrice = Price.pick({ inputPerMillion: true, outputPerMillion: true }).extend({
  cache: CacheRules.partial().optional(),
})
export type OwnPrice = z.infer<typeof OwnPrice>
