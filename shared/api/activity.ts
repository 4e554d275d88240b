import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { get, Id } from './routes.ts'
import { TimeRange } from './savings.ts'

const CallOutcome = z.enum(['ok', 'error', 'refused', 'cancelled'])

export const CallSummary = z.object({
  id: z.string(),
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  outcome: CallOutcome,
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  strategy: z.string().optional(),
  resultId: z.string().optional(),
  ms: z.number(),
  cached: z.boolean(),
  note: z.string().optional(),
})
export type CallSummary = z.infer<typeof CallSummary>

/** Of a call's result. */
const Fetch = z.object({
  at: z.number(),
  client: z.string(),
  /** Exploration tool. */
  tool: z.string(),
  tokens: z.int(),
})

/** Masked personal data appears as placeholders. */
export const CallDetail = CallSummary.extend({
  session: z.string(),
  tokensAdded: z.int(),
  serverMs: z.number().optional(),
  compressionMs: z.number().optional(),
  /** From client to server; recent calls only. */
  layers: z.array(z.object({ name: z.string(), ms: z.number() })),
  /** Recent calls only: in memory, never on disk. */
  arguments: z.record(z.string(), z.unknown()).optional(),
  /** What the server got, where settings of the tool changed the arguments. */
  shapedArguments: z.record(z.string(), z.unknown()).optional(),
  goal: z.string().optional(),
  /** Kept with the original of a shortened result; of others recent calls only. */
  sent: z.record(z.string(), z.unknown()).optional(),
  quarantineId: z.string().optional(),
  fetches: z.array(Fetch),
})
export type CallDetail = z.infer<typeof CallDetail>

export const CallFilter = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  client: z.string().optional(),
  outcome: CallOutcome.optional(),
  /** shortened: the model got less. kept: an original is available. */
  only: z.enum(['shortened', 'kept', 'cached']).optional(),
  text: z.string().max(200).optional(),
  ...TimeRange.partial().shape,
})
export type CallFilter = z.infer<typeof CallFilter>

export const activityContract = {
  list: get('/activity', 'Calls, newest first')
    .input(
      CallFilter.extend({
        /** `next` of the previous page. */
        before: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(1000).default(100),
      }),
    )
    .output(z.object({ calls: z.array(CallSummary), next: z.string().optional() })),
  get: get('/activity/{id}', 'One call in full').input(Id).output(CallDetail),
  live: get('/activity/live', 'Each call as it is recorded').output(eventIterator(CallSummary)),
}
