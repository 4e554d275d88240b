import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { CallSummary } from './activity.ts'
import { get } from './routes.ts'
import { ServerChange } from './servers.ts'
import { Savings } from './savings.ts'
import { SwitchState } from './switch.ts'

const ServerSummary = z.object({
  id: z.string(),
  launch: z.string(),
  disabled: z.boolean(),
  /** Of sessions. */
  open: z.int(),
  /** Last start's failure. */
  failure: z.string().optional(),
})
type ServerSummary = z.infer<typeof ServerSummary>

const Overview = z.object({
  version: z.string(),
  dataDir: z.string(),
  startedAt: z.number(),
  sessions: z.int(),
  problems: z.array(z.string()),
  servers: z.array(ServerSummary),
  totals: Savings,
  byServer: z.array(Savings.extend({ server: z.string() })),
  byTool: z.array(Savings.extend({ server: z.string(), tool: z.string() })),
  recent: z.array(CallSummary),
})
type Overview = z.infer<typeof Overview>

export const Attention = z.object({
  kind: z.enum([
    'server-failed',
    'settings-problem',
    'approvals-waiting',
    'approvals-unreadable',
    'quarantine',
    'costs-more-than-it-saves',
  ]),
  /** act: broken or blocked until the user acts. look: worth a look. */
  urgency: z.enum(['act', 'look']),
  title: z.string(),
  detail: z.string(),
  server: z.string().optional(),
  tool: z.string().optional(),
  /** Changes of the server; 1 unless given. */
  count: z.int().optional(),
})
export type Attention = z.infer<typeof Attention>

/** One stream, because browsers allow few. */
export const Badges = z.object({
  version: z.string(),
  /** In config.json's order. */
  servers: z.array(z.string()),
  approvals: z.int(),
  quarantine: z.int(),
  failedServers: z.int(),
  problems: z.int(),
  sessions: z.int(),
  switch: SwitchState,
})
export type Badges = z.infer<typeof Badges>

/** Browsers allow six connections per address: a stream per topic would block a second page. */
export const LiveItem = z.discriminatedUnion('kind', [
  /** In recorded order. */
  z.object({ kind: z.literal('calls'), calls: z.array(CallSummary) }),
  z.object({ kind: z.literal('badges'), badges: Badges }),
  z.object({ kind: z.literal('server'), server: ServerChange }),
  z.object({ kind: z.literal('approvals') }),
  z.object({ kind: z.literal('settings') }),
])
export type LiveItem = z.infer<typeof LiveItem>

export const overviewContract = {
  get: get('/overview', 'State and sums of the last days')
    .input(z.object({ days: z.coerce.number().int().min(1).max(400).default(1) }))
    .output(Overview),
  attention: get('/attention', 'What a person should look at').output(z.array(Attention)),
  badges: get('/badges/live', 'How much waits for a person, now and at each change').output(
    eventIterator(Badges),
  ),
  live: get('/live', 'Calls, badges, servers, approvals and settings as they change').output(
    eventIterator(LiveItem),
  ),
}
