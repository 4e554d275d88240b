import { z } from 'zod'
import { get, Id, Nothing, post, remove } from './routes.ts'

/** Unix milliseconds, bytes. */
export const KeptResult = z.object({
  id: z.string(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  created: z.number(),
  expires: z.number(),
  size: z.int(),
  storedSize: z.int(),
})
export type KeptResult = z.infer<typeof KeptResult>

/** Text parts, joined by blank lines. Positions in UTF-16 code units. */
const TextPage = z.object({
  text: z.string(),
  offset: z.int(),
  /** Of the whole text. */
  total: z.int(),
  /** Pictures, sound, links. */
  otherParts: z.int(),
})
type TextPage = z.infer<typeof TextPage>

/** Consecutive pieces of the original, all of them in what the model got, or none. */
export const Passage = z.object({
  isKept: z.boolean(),
  /** 1-based. */
  fromLine: z.int(),
  lines: z.int(),
  /** Its beginning, where it is long. */
  text: z.string(),
  isCut: z.boolean(),
})
export type Passage = z.infer<typeof Passage>

export const Comparison = z.object({
  original: TextPage,
  sent: z.string(),
  /** kept: the call's text. again: shortened now, possibly without the model's goal. */
  sentIs: z.enum(['kept', 'again']),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  strategy: z.string(),
  /** As in the header line. */
  omittedInWords: z.string().optional(),
  /** The original in its order, from its beginning. */
  passages: z.array(Passage),
  unit: z.enum(['line', 'indented-line', 'passage']),
  /** In all passages. */
  omittedLines: z.int(),
  /** Pieces after the last passage, which were not compared. */
  furtherLines: z.int(),
  kind: z.string(),
})
export type Comparison = z.infer<typeof Comparison>

export const EXPLORATION_TOOLS = [
  'proxy_explore',
  'proxy_filter',
  'proxy_search',
  'proxy_read',
  'proxy_run',
] as const

export const resultsContract = {
  list: get('/results', 'Kept originals, newest first')
    .input(
      z.object({
        client: z.string().optional(),
        server: z.string().optional(),
        tool: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(1000).default(200),
      }),
    )
    .output(z.array(KeptResult)),
  get: get('/results/{id}', 'What is known of a kept original').input(Id).output(KeptResult),
  original: get('/results/{id}/original', 'The text of an original, page by page')
    .input(
      Id.extend({
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(1_000_000).default(200_000),
      }),
    )
    .output(TextPage),
  compare: get('/results/{id}/compare', 'Original, what the model got, what was left out')
    .input(Id)
    .output(Comparison),
  shorten: post(
    '/results/{id}/shorten',
    "What the model would get at another budget or goal; it isn't booked",
  )
    .input(
      Id.extend({
        /** Tokens. Default: the tool's. */
        budget: z.int().min(50).max(100_000).optional(),
        goal: z.string().max(2_000).optional(),
      }),
    )
    .output(Comparison),
  tools: get('/results/tools', 'The exploration tools and their schemas').output(
    z.array(z.record(z.string(), z.unknown())),
  ),
  explore: post('/results/{id}/explore', "Look into an original as a model would; it isn't booked")
    .input(
      Id.extend({
        tool: z.enum(EXPLORATION_TOOLS),
        arguments: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .output(
      z.object({
        text: z.string(),
        /** For a model. */
        tokens: z.int(),
        isError: z.boolean(),
      }),
    ),
  delete: remove('/results/{id}', 'Forget an original').input(Id).output(Nothing),
}
