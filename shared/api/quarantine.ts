import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Times in Unix milliseconds. */
export const QuarantinedResult = z.object({
  id: z.string(),
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  size: z.int(),
  /** Strongest finding, 0 to 1. */
  score: z.number(),
  /** An attack isn't proven. */
  isUnscanned: z.boolean().optional(),
  reasons: z.array(z.string()),
  releasedAt: z.number().optional(),
  /** Delivered to the client after all. */
  takenAt: z.number().optional(),
})
export type QuarantinedResult = z.infer<typeof QuarantinedResult>

/** Control characters are made visible, marks removed beforehand. */
export const MarkedText = z.object({
  path: z.string(),
  runs: z.array(z.object({ text: z.string(), reason: z.string().optional(), score: z.number().optional() })),
  /** Characters outside the runs. */
  leftOut: z.int(),
})
export type MarkedText = z.infer<typeof MarkedText>

const Id = z.object({ id: z.string() })

export const quarantineContract = {
  list: oc
    .route({ method: 'GET', path: '/quarantine', summary: 'Quarantined results, newest first' })
    .output(z.array(QuarantinedResult)),
  show: oc
    .route({ method: 'GET', path: '/quarantine/{id}', summary: 'Its texts with the findings marked' })
    .input(Id)
    .output(
      QuarantinedResult.extend({
        arguments: z.record(z.string(), z.unknown()).optional(),
        texts: z.array(MarkedText),
      }),
    ),
  release: oc
    .route({ method: 'POST', path: '/quarantine/{id}/release', summary: 'Let its client have it' })
    .input(Id)
    .output(QuarantinedResult),
  delete: oc
    .route({ method: 'DELETE', path: '/quarantine/{id}', summary: 'Forget it' })
    .input(Id)
    .output(z.object({})),
}
