import { z } from 'zod'

export const ResultsSettings = z.strictObject({
  ttlHours: z.number().positive().default(24).describe('How long originals are kept.'),
  maxBytes: z
    .int()
    .positive()
    .default(1_000_000_000)
    .describe('Size of all kept originals together, compressed, and of the texts beside them.'),
  pathInHeader: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether the header of a shortened result names a file with the original. auto: for apps that are known to read files. Only you may read it, and it goes with the original.',
    ),
})
export type ResultsSettings = z.infer<typeof ResultsSettings>
