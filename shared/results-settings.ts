import { z } from 'zod'

export const ResultsSettings = z.strictObject({
  ttlHours: z.number().positive().default(24).describe('How long originals are kept.'),
  maxBytes: z
    .int()
    .positive()
    .default(1_000_000_000)
    .describe('Size of all kept originals together, compressed, and of the texts beside them.'),
  references: z
    .boolean()
    .default(true)
    .describe(
      'Whether an argument of a tool may name a kept result (sluice://r_7f3a9c, with #/json/pointer or #lines=10-80) in place of its text.',
    ),
  pathInHeader: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether the header of a shortened result names a file with the original. auto: for apps that are known to read files. Only you may read it, and it goes with the original.',
    ),
})
export type ResultsSettings = z.infer<typeof ResultsSettings>
