import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { CallSummary } from './activity.ts'
import { ServerChange } from './servers.ts'
import { Savings } from './savings.ts'
import { SwitchState } from './switch.ts'

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

/** One thing that a person should look at; the names say where. */
export const Attention = z.object({
  kind: z.enum([
    'server-failed',
    'settings-problem',
    'approvals-waiting',
    'approvals-unreadable',
    'quarantine',
    'costs-more-than-it-saves',
  ]),
  /** act: something does not work or is blocked until somebody acts. look: worth a look. */
  urgency: z.enum(['act', 'look']),
  title: z.string(),
  detail: z.string(),
  server: z.string().optional(),
  tool: z.string().optional(),
})
export type Attention = z.infer<typeof Attention>

/** What surrounds every screen: how much the badges of the rail count, the switch, and what has a name. One stream: browsers allow few. */
export const Badges = z.object({
  version: z.string(),
  /** The servers' names in the order of config.json. */
  servers: z.array(z.string()),
  approvals: z.int(),
  quarantine: z.int(),
  failedServers: z.int(),
  problems: z.int(),
  sessions: z.int(),
  switch: SwitchState,
})
export type Badges = z.infer<typeof Badges>

/**
 * Everything that happens, in one stream: browsers open six connections to one address and no more, so that a page with
 * a stream for each matter would stop a second one beside it.
 */
export const LiveItem = z.discriminatedUnion('kind', [
  /** In the order in which they were recorded. */
  z.object({ kind: z.literal('calls'), calls: z.array(CallSummary) }),
  z.object({ kind: z.literal('badges'), badges: Badges }),
  z.object({ kind: z.literal('server'), server: ServerChange }),
  z.object({ kind: z.literal('approvals') }),
  z.object({ kind: z.literal('settings') }),
])
export type LiveItem = z.infer<typeof LiveItem>

export const overviewContract = {
  get: oc
    .route({ method: 'GET', path: '/overview', summary: 'State and sums of the last days' })
    .input(z.object({ days: z.coerce.number().int().min(1).max(400).default(1) }))
    .output(Overview),
  attention: oc
    .route({ method: 'GET', path: '/attention', summary: 'What a person should look at' })
    .output(z.array(Attention)),
  badges: oc
    .route({
      method: 'GET',
      path: '/badges/live',
      summary: 'How much waits for a person, now and at each change',
    })
    .output(eventIterator(Badges)),
  live: oc
    .route({
      method: 'GET',
      path: '/live',
      summary: 'Calls, badges, servers, approvals and settings as they change',
    })
    .output(eventIterator(LiveItem)),
}
