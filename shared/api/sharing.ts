import { z } from 'zod'

/**
 * What would have gone wrong with one process for all clients. outside-calls: a request that belongs to no client.
 * folders: it asks for its client's folders. lists, answers: they differed between clients. tasks: they belong to one
 * client.
 */
const Obstacle = z.enum(['outside-calls', 'folders', 'lists', 'answers', 'tasks'])
export type Obstacle = z.infer<typeof Obstacle>

/** Since the engine started. */
export const SharingEvidence = z.object({
  /** Made while several clients used it. */
  calls: z.int(),
  /** Most processes at once. */
  atOnce: z.int(),
  obstacles: z.array(z.object({ what: Obstacle, times: z.int() })),
})
export type SharingEvidence = z.infer<typeof SharingEvidence>

/** Enough calls without an obstacle. */
export const provesSharing = ({ calls, obstacles }: SharingEvidence): boolean =>
  calls >= ENOUGH_CALLS && obstacles.length === 0

export const ENOUGH_CALLS = 20
