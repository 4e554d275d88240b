import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { Comparison } from './results.ts'
import { get, Id, Nothing, post } from './routes.ts'

/** What a way of shortening changes. Money in US dollars at list price; `weighted`: in input tokens of the same price. */
const Worth = z.object({ money: z.number(), weighted: z.number() })
export type Worth = z.infer<typeof Worth>

export const ReplaySum = z.object({
  results: z.int(),
  /** Those that are shortened. */
  shortened: z.int(),
  /** Tokens (o200k_base) of all results as they entered, and as they would have. */
  before: z.int(),
  after: z.int(),
  /** Saved when shortened results enter the context, and by every later request of their life. */
  first: Worth,
  later: Worth,
  /** What fetching parts that were left out would have cost. */
  recovery: Worth,
  /** Of strings that the session used from shortened results, weighted, and those that the short form shows. */
  uses: z.number(),
  kept: z.number(),
  /** Calls that would have had to fetch the rest. */
  fetches: z.number(),
})
export type ReplaySum = z.infer<typeof ReplaySum>

export const ReplayGroup = ReplaySum.extend({ key: z.string() })
export type ReplayGroup = z.infer<typeof ReplayGroup>

export const ReplayLoss = z.object({
  /** Opens it (`replay.compare`). */
  id: z.string(),
  app: z.string(),
  project: z.string(),
  tool: z.string(),
  /** Of the content. */
  kind: z.string(),
  at: z.number(),
  before: z.int(),
  after: z.int(),
  uses: z.number(),
  kept: z.number(),
  fetches: z.number(),
  net: Worth,
})
export type ReplayLoss = z.infer<typeof ReplayLoss>

export const ReplayReport = z.object({
  /** Unix milliseconds. */
  from: z.number(),
  to: z.number(),
  files: z.int(),
  bytes: z.number(),
  sessions: z.int(),
  requests: z.int(),
  /** Of all requests, output included, at list price. */
  cost: Worth,
  /** Models without a known price: their tokens count, their money doesn't. */
  unpriced: z.array(z.object({ model: z.string(), requests: z.int() })),
  /** Sluice first, then what it is compared with, on the same results. */
  strategies: z.array(ReplayGroup),
  byApp: z.array(ReplayGroup),
  byProject: z.array(ReplayGroup),
  byTool: z.array(ReplayGroup),
  byKind: z.array(ReplayGroup),
  worst: z.array(ReplayLoss),
  /** What Sluice's own tools would have added to the requests. */
  added: z.object({ tokens: z.int(), ...Worth.shape }),
  /** Tokens of the models for each of o200k_base, from steps with one result. */
  tokenRatio: z.object({ median: z.number(), low: z.number(), high: z.number(), steps: z.int() }),
  /** Results that Sluice had shortened already, and real fetches from them. */
  already: z.object({ results: z.int(), before: z.int(), after: z.int(), fetches: z.int() }),
  /** Results followed by the same call within three requests. */
  repeated: z.int(),
  /** The user's prices.json can't be read: the shipped prices alone were used. */
  priceFault: z.string().optional(),
  problems: z.array(z.object({ app: z.string(), path: z.string(), message: z.string() })),
})
export type ReplayReport = z.infer<typeof ReplayReport>

const ReplayPlace = z.object({
  app: z.string(),
  label: z.string(),
  sessions: z.int(),
  bytes: z.number(),
})

export const ReplayStatus = z.object({
  state: z.enum(['idle', 'running', 'done', 'failed']),
  doneBytes: z.number(),
  bytes: z.number(),
  files: z.int(),
  doneFiles: z.int(),
  failure: z.string().optional(),
  report: ReplayReport.optional(),
})
export type ReplayStatus = z.infer<typeof ReplayStatus>

export const replayContract = {
  places: get('/replay/places', 'Apps whose sessions are on this machine')
    .input(z.object({ days: z.coerce.number().int().min(1).max(3650).default(30) }))
    .output(z.array(ReplayPlace)),
  status: get('/replay', 'The replay under way, or the last one').output(ReplayStatus),
  live: get('/replay/live', 'The same, whenever something of it changes').output(eventIterator(ReplayStatus)),
  start: post(
    '/replay',
    'Read the sessions of these apps and run their results through the settings of today',
  )
    .input(
      z.object({
        days: z.int().min(1).max(3650),
        apps: z.array(z.string()).min(1).max(20),
        project: z.string().max(4096).optional(),
        compare: z.boolean().optional(),
      }),
    )
    .output(Nothing),
  cancel: post('/replay/cancel', 'Stop it').output(Nothing),
  compare: get('/replay/results/{id}', 'A result as it entered the context, and as it would have')
    .input(Id)
    .output(Comparison),
}
