import { z } from 'zod'

/** Sums over calls; tokens are o200k_base. `net` = before − after − added − fetched. */
export const Savings = z.object({
  calls: z.int(),
  errors: z.int(),
  refused: z.int(),
  cancelled: z.int(),
  cached: z.int(),
  before: z.int(),
  after: z.int(),
  added: z.int(),
  fetched: z.int(),
  net: z.int(),
})
export type Savings = z.infer<typeof Savings>

/** One call as the screens show it. */
export const CallSummary = z.object({
  id: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  outcome: z.enum(['ok', 'error', 'refused', 'cancelled']),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  strategy: z.string().optional(),
  resultId: z.string().optional(),
  ms: z.number(),
  cached: z.boolean(),
  note: z.string().optional(),
})
export type CallSummary = z.infer<typeof CallSummary>

export const ServerSummary = z.object({
  id: z.string(),
  /** How it is started or reached, without the values of secrets. */
  launch: z.string(),
  disabled: z.boolean(),
  /** Processes or connections that sessions hold to it now. */
  open: z.int(),
  /** Why its last start failed, if it did. */
  failure: z.string().optional(),
})
export type ServerSummary = z.infer<typeof ServerSummary>

export const Overview = z.object({
  version: z.string(),
  dataDir: z.string(),
  /** Unix milliseconds. */
  startedAt: z.number(),
  sessions: z.int(),
  /** Why config.json, or a part of it, is not in effect. */
  problems: z.array(z.string()),
  servers: z.array(ServerSummary),
  totals: Savings,
  byServer: z.array(Savings.extend({ server: z.string() })),
  byTool: z.array(Savings.extend({ server: z.string(), tool: z.string() })),
  recent: z.array(CallSummary),
})
export type Overview = z.infer<typeof Overview>
