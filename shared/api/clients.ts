import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { PinnedKind, WaitingChange } from './approvals.ts'
import { get, post } from './routes.ts'

const ClientServer = z.object({
  name: z.string(),
  project: z.string().optional(),
  state: z.enum(['wrapped', 'not wrapped', 'sluice itself', 'unsupported']),
  /** If wrapped. */
  serverId: z.string().optional(),
  why: z.string().optional(),
  disabled: z.boolean(),
  launch: z.string().optional(),
})

const ClientFile = z.object({
  path: z.string(),
  isMissing: z.boolean(),
  problem: z.string().optional(),
  servers: z.array(ClientServer),
  /** Undoable wrappings, newest first. */
  undo: z.array(z.object({ at: z.number(), servers: z.array(z.string()) })),
})

/** With an existing file. */
export const ClientApp = z.object({
  id: z.string(),
  label: z.string(),
  files: z.array(ClientFile),
  question: z.string().optional(),
  remark: z.string().optional(),
  readOnly: z.string().optional(),
  /** When a changed file takes effect. */
  advice: z.string(),
  /** Its own tools, where hooks can cover them. */
  builtIn: z
    .object({
      path: z.string(),
      isOn: z.boolean(),
      /** Empty: hooks bring the user's request only. */
      tools: z.array(z.string()),
      /** Why hooks that are in the file don't work. */
      obstacle: z.string().optional(),
      /** Tools that were answered since the engine started. */
      seen: z.array(
        z.object({
          tool: z.string(),
          answered: z.int(),
          delivered: z.int(),
          /** By the app. */
          dropped: z.int(),
          /** To another product's hook. */
          lost: z.int(),
          /** After two drops in a row. */
          isOff: z.boolean(),
        }),
      ),
    })
    .optional(),
})
export type ClientApp = z.infer<typeof ClientApp>

export const WrapRequest = z.object({
  client: z.string(),
  path: z.string(),
  servers: z.array(z.string()).optional(),
  project: z.string().optional(),
  inProject: z.boolean().optional(),
  leaveOut: z.array(z.object({ name: z.string(), project: z.string().optional() })).optional(),
})
export type WrapRequest = z.infer<typeof WrapRequest>

/** Of a conversation before its first word: the tool lists that its servers bring, in o200k_base tokens. */
export const ClientCost = z.object({
  /** An app's id, or a profile's name below `/mcp/`: `p/NAME`. */
  client: z.string(),
  label: z.string(),
  /** Whose servers cost most, if projects have their own. */
  project: z.string().optional(),
  servers: z.array(z.object({ server: z.string(), tokens: z.int() })),
  /** With Sluice's own tools, where the app lists them from the start. */
  tokens: z.int(),
})
export type ClientCost = z.infer<typeof ClientCost>

const WrapRequests = z.array(WrapRequest).min(1).max(100)

export const WrapPreview = z.object({
  request: WrapRequest,
  label: z.string(),
  target: z.string(),
  hash: z.string(),
  resultHash: z.string(),
  servers: z.array(
    z.object({
      name: z.string(),
      project: z.string().optional(),
      serverId: z.string(),
      isNew: z.boolean(),
      launch: z.string(),
    }),
  ),
  skipped: z.array(z.object({ name: z.string(), why: z.string() })),
  changes: z.array(z.string()),
  warnings: z.array(z.string()),
  diff: z.string(),
  advice: z.string(),
})
export type WrapPreview = z.infer<typeof WrapPreview>

const UnwrapRequest = WrapRequest.pick({ client: true, path: true, servers: true })

export const UnwrapPreview = z.object({
  request: UnwrapRequest,
  label: z.string(),
  target: z.string(),
  hash: z.string(),
  resultHash: z.string(),
  isExact: z.boolean(),
  restored: z.array(z.string()),
  removedIds: z.array(z.string()),
  remarks: z.array(z.string()),
  diff: z.string(),
  advice: z.string(),
})
export type UnwrapPreview = z.infer<typeof UnwrapPreview>

/** With unapproved definitions. */
export const LookedAtServer = z.object({
  serverId: z.string(),
  ms: z.number(),
  /** `off`: disabled, so not started. */
  outcome: z.enum(['offers', 'failed', 'off']),
  problem: z.string().optional(),
  /** Self-reported name and version. */
  introduced: z.string().optional(),
  /** Variables unknown here, with placeholder values. */
  standIns: z.array(z.string()),
  /** Can't be approved. */
  unfit: z.array(z.object({ kind: PinnedKind, name: z.string(), why: z.string() })),
  /** Definitions. */
  approved: z.int(),
  changes: z.array(WaitingChange),
})
export type LookedAtServer = z.infer<typeof LookedAtServer>

/** A server may repeat with findings from others. */
export const ReviewEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begun'),
    review: z.string(),
    /** Two entries may be one server in Sluice. */
    servers: z.array(
      z.object({
        /** Of the app's file, if any. */
        path: z.string().optional(),
        name: z.string(),
        project: z.string().optional(),
        serverId: z.string(),
      }),
    ),
  }),
  z.object({ kind: z.literal('starting'), serverId: z.string() }),
  z.object({ kind: z.literal('looked'), looked: LookedAtServer }),
])
export type ReviewEvent = z.infer<typeof ReviewEvent>

/** Approved as shown. */
export const Reviewed = z.object({ reviews: z.array(z.string()).max(100).default([]) })

const AsPreviewed = z.object({ hash: z.string(), resultHash: z.string() })

export const clientsContract = {
  launcher: get('/clients/launcher', 'Whether AI apps can start this Sluice').output(
    z.object({ /** Why not. */ unavailable: z.string().optional() }),
  ),
  list: get('/clients', 'AI apps on this machine and their servers').output(z.array(ClientApp)),
  costs: get(
    '/clients/costs',
    'What a conversation of each wrapped app and with each profile carries before its first word',
  ).output(z.array(ClientCost)),
  previewWrap: post('/clients/wrap/preview', 'What wrapping these files, one after another, would change')
    .input(z.object({ requests: WrapRequests }))
    .output(z.array(WrapPreview)),
  wrap: post('/clients/wrap', 'Make the change of a preview')
    .input(WrapRequest.extend(AsPreviewed.shape).extend(Reviewed.shape))
    .output(z.object({ serverIds: z.array(z.string()), approved: z.int(), advice: z.string() })),
  review: post(
    '/clients/review',
    'Start the servers that wrapping or importing is about once, and see what they offer',
  )
    .input(z.object({ requests: WrapRequests, purpose: z.enum(['wrap', 'import']) }))
    .output(eventIterator(ReviewEvent)),
  previewUnwrap: post('/clients/unwrap/preview', 'What unwrapping would change')
    .input(UnwrapRequest)
    .output(UnwrapPreview),
  unwrap: post('/clients/unwrap', 'Undo a wrapping as its preview showed')
    .input(UnwrapRequest.extend(AsPreviewed.shape))
    .output(z.object({ restored: z.array(z.string()) })),
  import: post('/clients/import', "Take an app's servers into config.json; its file stays as it is")
    .input(
      WrapRequest.omit({ inProject: true })
        .extend(Reviewed.shape)
        .extend({
          /** In the keyring, with ${secret:NAME} in their place. */
          keepKeys: z.boolean().default(false),
        }),
    )
    .output(
      z.object({
        added: z.array(z.string()),
        approved: z.int(),
        skipped: z.array(z.object({ name: z.string(), why: z.string() })),
        warnings: z.array(z.string()),
      }),
    ),
}
