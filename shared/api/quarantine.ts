import { z } from 'zod'
import { get, Id, Nothing, post, remove } from './routes.ts'

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
  runs: z.array(
    z.object({
      text: z.string(),
      reason: z.string().optional(),
      score: z.number().optional(),
      /** Line and JSON path, such as `line 7, rows[1].note`. */
      place: z.string().optional(),
    }),
  ),
  /** Characters outside the runs. */
  leftOut: z.int(),
})
export type MarkedText = z.infer<typeof MarkedText>

export const quarantineContract = {
  list: get('/quarantine', 'Quarantined results, newest first').output(z.array(QuarantinedResult)),
  show: get('/quarantine/{id}', 'Its texts with the findings marked')
    .input(Id)
    .output(
      QuarantinedResult.extend({
        arguments: z.record(z.string(), z.unknown()).optional(),
        texts: z.array(MarkedText),
      }),
    ),
  release: post('/quarantine/{id}/release', 'Let its client have it').input(Id).output(QuarantinedResult),
  delete: remove('/quarantine/{id}', 'Forget it').input(Id).output(Nothing),
}
