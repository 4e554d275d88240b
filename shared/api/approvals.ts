import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { PINNED_KINDS } from '../pinned-kinds.ts'
import { get, post } from './routes.ts'

export const PinnedKind = z.enum(PINNED_KINDS)

const ChangeFinding = z.object({
  /** JSON pointer within the definition. */
  path: z.string(),
  reason: z.string(),
  /** 0 to 1. */
  score: z.number(),
})

export const WaitingChange = z.object({
  /** For approving or denying; changes with the definition. */
  hash: z.string(),
  identity: z.string(),
  server: z.string(),
  kind: PinnedKind,
  name: z.string(),
  change: z.enum(['new', 'changed', 'removed']),
  denied: z.boolean(),
  places: z.array(
    z.object({
      path: z.string(),
      runs: z.array(z.object({ text: z.string(), state: z.enum(['same', 'added', 'removed']) })),
    }),
  ),
  findings: z.array(ChangeFinding),
})
export type WaitingChange = z.infer<typeof WaitingChange>

const Decision = z.object({
  at: z.number(),
  server: z.string(),
  kind: PinnedKind,
  name: z.string(),
  action: z.enum(['seen', 'approved', 'denied', 'trusted at first sight', 'removed']),
  by: z.string(),
})
type Decision = z.infer<typeof Decision>

const Chosen = z.object({ identity: z.string(), hashes: z.array(z.string()).min(1).max(10_000) })

export const approvalsContract = {
  waiting: get('/approvals', 'What waits, with what changed and what detectors notice')
    .input(z.object({ server: z.string().optional() }))
    .output(z.array(WaitingChange)),
  live: get('/approvals/live', 'How many wait, now and at each change').output(
    eventIterator(z.object({ waiting: z.int() })),
  ),
  approve: post('/approvals/approve', 'Let these pass from now on')
    .input(Chosen)
    .output(z.object({ approved: z.int() })),
  deny: post('/approvals/deny', 'Keep these blocked, and do not ask again')
    .input(Chosen)
    .output(z.object({ denied: z.int() })),
  askAgain: post('/approvals/ask-again', 'Take a denial back: these wait again')
    .input(Chosen)
    .output(z.object({ waiting: z.int() })),
  history: get('/approvals/history', 'Who decided what, newest first')
    .input(
      z.object({
        server: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(1000).default(200),
      }),
    )
    .output(z.array(Decision)),
}
