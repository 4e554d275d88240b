import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { ReviewEvent, Reviewed } from './clients.ts'
import { ServerId, ServerSettings } from '../settings.ts'
import { LogLine } from './logs.ts'
import { get, Nothing, post, put, remove } from './routes.ts'
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

/** Snippets can be pasted: they say how each server is started. */
export const Registered = z.object({
  registry: z.string(),
  servers: z.array(z.object({ title: z.string(), about: z.string(), snippet: z.string() })),
})
export type Registered = z.infer<typeof Registered>

export const serversContract = {
  list: get('/status', 'Every server and its true state').output(z.array(ServerStatus)),
  get: get('/status/{server}', 'One server and its true state').input(One).output(ServerStatus),
  live: get('/servers/live', 'Each change of a server’s state').output(eventIterator(ServerChange)),
  settings: get('/servers/{server}', 'Its settings; secrets are replaced by a mark')
    .input(One)
    .output(ServerSettings),
  add: post('/servers', 'Add a server')
    .input(
      z.object({ server: ServerId, settings: ServerSettings }).extend(Reviewed.shape).extend(KeepKeys.shape),
    )
    .output(Nothing),
  review: post('/servers/review', 'Start a server that is not added yet once, and see what it offers')
    .input(z.object({ server: ServerId, settings: ServerSettings }))
    .output(eventIterator(ReviewEvent)),
  edit: put('/servers/{server}', 'Change its settings; the mark leaves a secret as it is')
    .input(One.extend({ settings: ServerSettings }))
    .output(Nothing),
  enable: post('/servers/{server}/enable', 'Switch it on or off')
    .input(One.extend({ enabled: z.boolean() }))
    .output(Nothing),
  share: post('/servers/{server}/share', 'One process for all clients').input(One).output(Nothing),
  remove: remove('/servers/{server}', 'Take it out of config.json; undo puts it back')
    .input(One)
    .output(z.object({ undo: z.string() })),
  undoRemove: post('/servers/undo/{undo}', 'Put a removed server back as it was')
    .input(z.object({ undo: z.string() }))
    .output(One),
  restart: post('/servers/{server}/restart', 'Restart it for every session; calls in progress finish first')
    .input(One)
    .output(Nothing),
  tryStart: post('/servers/{server}/try', 'Start it once and see what it offers').input(One).output(Trial),
  signIn: post(
    '/servers/{server}/sign-in',
    'Sign in to a remote server: names the page to open, and waits for its answer',
  )
    .input(One)
    .output(eventIterator(SignInEvent)),
  signOut: remove('/servers/{server}/sign-in', 'Forget a sign-in').input(One).output(Nothing),
  log: get('/servers/{server}/log', 'What it wrote, and what was logged about it')
    .input(One.extend({ lines: z.coerce.number().int().min(1).max(2000).default(200) }))
    .output(z.array(LogLine)),
  searchRegistry: post('/servers/registry', 'Search the registry of MCP servers')
    .input(z.object({ text: z.string().min(1).max(200) }))
    .output(Registered),
  readPasted: post('/servers/pasted/read', 'Lists the servers in a pasted text; changes nothing')
    .input(z.object({ text: z.string().max(2_000_000) }))
    .output(Pasted),
  reviewPasted: post(
    '/servers/pasted/review',
    'Start the servers of a pasted text once, and see what they offer',
  )
    .input(PastedServers)
    .output(eventIterator(ReviewEvent)),
  addPasted: post('/servers/pasted', 'Add the servers of a pasted text')
    .input(PastedServers.extend(Reviewed.shape).extend(KeepKeys.shape))
    .output(z.object({ added: z.array(z.string()) })),
}
