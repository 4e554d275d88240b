import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { ReviewEvent, Reviewed } from './clients.ts'
import { ServerId, ServerSettings } from '../settings.ts'
import { LogLine } from './logs.ts'
import { Savings } from './savings.ts'
import { SharingEvidence } from './sharing.ts'

/** disabled: neither started nor listed. idle: unused. partly: some connections failed. */
const ServerState = z.enum(['disabled', 'idle', 'starting', 'ready', 'failed'])

/** Times in Unix milliseconds. */
export const ServerStatus = z.object({
  id: z.string(),
  /** Without secrets. */
  launch: z.string(),
  type: z.enum(['stdio', 'http', 'sse']),
  state: ServerState,
  /** Undefined if unused since the engine started. */
  since: z.number().optional(),
  /** With its last words. */
  failure: z.string().optional(),
  /** For remote servers with sign-in; undefined if settings have credentials. */
  signIn: z.enum(['possible', 'needed', 'done']).optional(),
  /** After repeated failures. */
  retryAt: z.number().optional(),
  open: z.int(),
  /** Fewer than connections if shared. */
  pids: z.array(z.int()),
  shared: z.boolean().optional(),
  /** Whether it could be; undefined where that isn't known or not wanted (`shared: false`). */
  sharing: SharingEvidence.optional(),
  memory: z.int().optional(),
  era: z.enum(['legacy', 'modern']).optional(),
  protocolVersion: z.string().optional(),
  name: z.string().optional(),
  version: z.string().optional(),
  /** Approved; undefined if never seen. */
  tools: z.int().optional(),
  /** Of the shown definitions per conversation; undefined if never seen. */
  contextTokens: z.int().optional(),
  waiting: z.int(),
  /** Last 30 days. */
  savings: Savings,
  /** Why its entry isn't in effect. */
  problems: z.array(z.string()),
})
export type ServerStatus = z.infer<typeof ServerStatus>

export const ServerChange = z.object({
  id: z.string(),
  state: ServerState,
  at: z.number(),
  open: z.int(),
  failure: z.string().optional(),
})
export type ServerChange = z.infer<typeof ServerChange>

export const Trial = z.object({
  ok: z.boolean(),
  ms: z.number(),
  problem: z.string().optional(),
  tools: z.array(z.string()),
  /** Undefined if everything is approved. */
  blocked: z.string().optional(),
})
export type Trial = z.infer<typeof Trial>

/** First the page, then the end; a failed sign-in ends the stream with an error. */
const SignInEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), url: z.url({ protocol: /^https?$/ }) }),
  z.object({ kind: z.literal('done') }),
])
type SignInEvent = z.infer<typeof SignInEvent>

const PastedServer = z.object({
  name: z.string(),
  serverId: z.string(),
  /** Why the id isn't the name. */
  renamed: z.enum(['taken', 'unusable']).optional(),
  isNew: z.boolean(),
  launch: z.string(),
  secrets: z.array(z.string()),
  warnings: z.array(z.string()),
  keys: z.array(z.string()),
})

export const Pasted = z.object({
  servers: z.array(PastedServer),
  skipped: z.array(z.object({ name: z.string(), why: z.string() })),
})
export type Pasted = z.infer<typeof Pasted>

const PastedServers = z.object({
  text: z.string().max(2_000_000),
  names: z.array(z.string()).optional(),
})

/** In the keyring, with ${secret:NAME} in their place. */
const KeepKeys = z.object({ keepKeys: z.boolean().default(false) })

const One = z.object({ server: z.string() })
const Nothing = z.object({})

/** Snippets can be pasted: they say how each server is started. */
export const Registered = z.object({
  registry: z.string(),
  servers: z.array(z.object({ title: z.string(), about: z.string(), snippet: z.string() })),
})
export type Registered = z.infer<typeof Registered>

export const serversContract = {
  list: oc
    .route({ method: 'GET', path: '/status', summary: 'Every server and its true state' })
    .output(z.array(ServerStatus)),
  get: oc
    .route({ method: 'GET', path: '/status/{server}', summary: 'One server and its true state' })
    .input(One)
    .output(ServerStatus),
  live: oc
    .route({ method: 'GET', path: '/servers/live', summary: 'Each change of a server’s state' })
    .output(eventIterator(ServerChange)),
  settings: oc
    .route({
      method: 'GET',
      path: '/servers/{server}',
      summary: 'Its settings; secrets are replaced by a mark',
    })
    .input(One)
    .output(ServerSettings),
  add: oc
    .route({ method: 'POST', path: '/servers', summary: 'Add a server' })
    .input(
      z.object({ server: ServerId, settings: ServerSettings }).extend(Reviewed.shape).extend(KeepKeys.shape),
    )
    .output(Nothing),
  review: oc
    .route({
      method: 'POST',
      path: '/servers/review',
      summary: 'Start a server that is not added yet once, and see what it offers',
    })
    .input(z.object({ server: ServerId, settings: ServerSettings }))
    .output(eventIterator(ReviewEvent)),
  edit: oc
    .route({
      method: 'PUT',
      path: '/servers/{server}',
      summary: 'Change its settings; the mark leaves a secret as it is',
    })
    .input(One.extend({ settings: ServerSettings }))
    .output(Nothing),
  enable: oc
    .route({ method: 'POST', path: '/servers/{server}/enable', summary: 'Switch it on or off' })
    .input(One.extend({ enabled: z.boolean() }))
    .output(Nothing),
  share: oc
    .route({ method: 'POST', path: '/servers/{server}/share', summary: 'One process for all clients' })
    .input(One)
    .output(Nothing),
  remove: oc
    .route({
      method: 'DELETE',
      path: '/servers/{server}',
      summary: 'Take it out of config.json; undo puts it back',
    })
    .input(One)
    .output(z.object({ undo: z.string() })),
  undoRemove: oc
    .route({ method: 'POST', path: '/servers/undo/{undo}', summary: 'Put a removed server back as it was' })
    .input(z.object({ undo: z.string() }))
    .output(One),
  restart: oc
    .route({
      method: 'POST',
      path: '/servers/{server}/restart',
      summary: 'Restart it for every session; calls in progress finish first',
    })
    .input(One)
    .output(Nothing),
  tryStart: oc
    .route({ method: 'POST', path: '/servers/{server}/try', summary: 'Start it once and see what it offers' })
    .input(One)
    .output(Trial),
  signIn: oc
    .route({
      method: 'POST',
      path: '/servers/{server}/sign-in',
      summary: 'Sign in to a remote server: names the page to open, and waits for its answer',
    })
    .input(One)
    .output(eventIterator(SignInEvent)),
  signOut: oc
    .route({ method: 'DELETE', path: '/servers/{server}/sign-in', summary: 'Forget a sign-in' })
    .input(One)
    .output(Nothing),
  log: oc
    .route({
      method: 'GET',
      path: '/servers/{server}/log',
      summary: 'What it wrote, and what was logged about it',
    })
    .input(One.extend({ lines: z.coerce.number().int().min(1).max(2000).default(200) }))
    .output(z.array(LogLine)),
  searchRegistry: oc
    .route({ method: 'POST', path: '/servers/registry', summary: 'Search the registry of MCP servers' })
    .input(z.object({ text: z.string().min(1).max(200) }))
    .output(Registered),
  readPasted: oc
    .route({
      method: 'POST',
      path: '/servers/pasted/read',
      summary: 'Lists the servers in a pasted text; changes nothing',
    })
    .input(z.object({ text: z.string().max(2_000_000) }))
    .output(Pasted),
  reviewPasted: oc
    .route({
      method: 'POST',
      path: '/servers/pasted/review',
      summary: 'Start the servers of a pasted text once, and see what they offer',
    })
    .input(PastedServers)
    .output(eventIterator(ReviewEvent)),
  addPasted: oc
    .route({ method: 'POST', path: '/servers/pasted', summary: 'Add the servers of a pasted text' })
    .input(PastedServers.extend(Reviewed.shape).extend(KeepKeys.shape))
    .output(z.object({ added: z.array(z.string()) })),
}
