import type { TranscriptEvent, TranscriptSource } from '../transcripts/transcript.ts'
import { ContextReplay, type ReplayedResult } from './context-replay.ts'
import type { RequestOf } from './goal-then.ts'
import { createMakeForms, type FormsOptions } from './make-forms.ts'
import { NOTHING, plus, times, type Rate, type RatesOf } from './rates.ts'

export interface ReplaySourceOptions extends FormsOptions {
  readonly ratesOf: RatesOf
  readonly requestOf: RequestOf
  /** Tokens of Sluice's own tools in each request of a client that uses them. */
  readonly listedTokens: number
  /** An MCP tool, whose client lists Sluice's own. */
  readonly isListed: (tool: string) => boolean
  /** Only sessions in folders whose path has this text. */
  readonly project?: string | undefined
}

/** One request, by the provider's id: a fork repeats those of the session it continues. */
interface ReplayedRequest {
  readonly id: string
  readonly cost: Rate
  /** Undefined: priced. */
  readonly unpriced?: string | undefined
}

export interface ReplayedSource {
  readonly session: string
  readonly project: string
  readonly requests: readonly ReplayedRequest[]
  readonly results: readonly ReplayedResult[]
  readonly ratios: readonly number[]
  readonly added: { readonly tokens: number; readonly rate: Rate }
  /** It was skipped, or lines of it were. */
  readonly problems: readonly string[]
}

interface Lane {
  readonly context: ContextReplay
  /** What a listed token costs: written once, then read. */
  listed: Rate | undefined
  requests: number
  isListing: boolean
}

/** A session or a sub-agent's file, from the first event to the last. `onEvent` is for progress. */
export function replaySource(
  source: TranscriptSource,
  events: Iterable<TranscriptEvent>,
  options: ReplaySourceOptions,
): ReplayedSource {
  const makeForms = createMakeForms(source.app, options)
  const lanes = new Map<string, Lane>()
  const requests: ReplayedRequest[] = []
  const results: ReplayedResult[] = []
  const problems: string[] = []
  let session = source.session ?? ''
  let project = source.project ?? ''
  const laneOf = (agent: string): Lane => {
    const known = lanes.get(agent)
    if (known) return known
    const lane: Lane = {
      context: new ContextReplay({
        makeForms,
        ratesOf: options.ratesOf,
        requestOf: options.requestOf,
        done: (result) => {
          if (result.outcomes && options.isListed(result.tool)) lane.isListing = true
          results.push(result)
        },
      }),
      listed: undefined,
      requests: 0,
      isListing: false,
    }
    lanes.set(agent, lane)
    return lane
  }
  for (const event of events) {
    const lane = laneOf(event.agent ?? '')
    if (event.type === 'session') {
      session = event.session.id ?? session
      project = event.session.project || project
      if (options.project !== undefined && project !== '' && !project.includes(options.project))
        return { session, project, requests: [], results: [], ratios: [], added: none, problems: [] }
    } else if (event.type === 'problem') problems.push(event.message)
    else if (event.type === 'request') {
      const rates = lane.context.request(event)
      lane.listed = plus(lane.listed ?? NOTHING, lane.listed ? rates.read : rates.entry)
      lane.requests++
      requests.push({ id: event.id, cost: rates.cost, ...(rates.isPriced ? {} : { unpriced: event.model }) })
    } else replay(lane.context, event)
  }
  const all = [...lanes.values()]
  const ratios = all.flatMap(({ context }) => context.finish())
  const listing = all.filter(({ isListing }) => isListing)
  const added = {
    tokens: listing.reduce((sum, lane) => sum + lane.requests * options.listedTokens, 0),
    rate: listing.reduce(
      (sum, lane) => plus(sum, times(lane.listed ?? NOTHING, options.listedTokens)),
      NOTHING,
    ),
  }
  return { session, project, requests, results, ratios, added, problems }
}

const none = { tokens: 0, rate: NOTHING }

type Replayed = Exclude<TranscriptEvent, { type: 'session' | 'problem' | 'request' }>

function replay(context: ContextReplay, event: Replayed): void {
  switch (event.type) {
    case 'prompt':
      return context.prompt(event)
    case 'context':
      return context.context(event)
    case 'answer':
      return context.answer(event)
    case 'call':
      return context.call(event)
    case 'result':
      return context.result(event)
    case 'boundary':
      return context.boundary(event)
  }
}
