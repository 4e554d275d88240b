import type { ReplayGroup, ReplayLoss, ReplayReport, ReplaySum, Worth } from '../../../shared/api/replay.ts'
import { TRANSCRIPT_LABELS, type TranscriptSource } from '../transcripts/transcript.ts'
import { median, type ReplayedResult } from './context-replay.ts'
import type { Outcome } from './held-result.ts'
import type { ReplayedSource } from './replay-source.ts'

const MOST_LOSSES = 100
const MOST_RATIOS = 20_000

interface Sum extends ReplaySum {
  first: Worth
  later: Worth
  recovery: Worth
}

const emptySum = (): Sum => ({
  results: 0,
  shortened: 0,
  before: 0,
  after: 0,
  first: { money: 0, weighted: 0 },
  later: { money: 0, weighted: 0 },
  recovery: { money: 0, weighted: 0 },
  uses: 0,
  kept: 0,
  fetches: 0,
})

export interface TallyOptions {
  readonly from: number
  readonly to: number
  readonly strategies: readonly string[]
}

/** Adds up sources in any order. What two files share, because one continues the other, counts once. */
export class ReplayTally {
  readonly #options: TallyOptions
  readonly #seen = new Set<string>()
  readonly #sessions = new Set<string>()
  readonly #strategies: Sum[]
  readonly #groups = {
    app: new Map<string, Sum>(),
    project: new Map<string, Sum>(),
    tool: new Map<string, Sum>(),
    kind: new Map<string, Sum>(),
  }
  readonly #unpriced = new Map<string, number>()
  readonly #problems: ReplayReport['problems'] = []
  readonly #ratios: number[] = []
  #losses: ReplayLoss[] = []
  #cost: Worth = { money: 0, weighted: 0 }
  #added = { tokens: 0, money: 0, weighted: 0 }
  #already = { results: 0, before: 0, after: 0, fetches: 0 }
  #files = 0
  #bytes = 0
  #requests = 0
  #repeated = 0

  constructor(options: TallyOptions) {
    this.#options = options
    this.#strategies = options.strategies.map(emptySum)
  }

  /** `id`: opens a result of this source. */
  add(source: TranscriptSource, replayed: ReplayedSource, id: (call: string) => string): void {
    this.#files++
    this.#bytes += source.bytes
    for (const message of replayed.problems) this.problem(source.app, source.path, message)
    for (const { id: request, cost, unpriced } of replayed.requests) {
      if (this.#isRepeat(`request ${source.app} ${request}`)) continue
      this.#requests++
      addWorth(this.#cost, cost)
      if (unpriced !== undefined) this.#unpriced.set(unpriced, (this.#unpriced.get(unpriced) ?? 0) + 1)
    }
    if (replayed.requests.length > 0) this.#sessions.add(`${source.app} ${replayed.session}`)
    this.#added.tokens += replayed.added.tokens
    addWorth(this.#added, replayed.added.rate)
    if (this.#ratios.length < MOST_RATIOS) this.#ratios.push(...replayed.ratios)
    const project = replayed.project === '' ? 'unknown' : replayed.project
    for (const result of replayed.results) {
      if (this.#isRepeat(`result ${source.app} ${result.call}`)) continue
      this.#add(source, project, result, id)
    }
  }

  problem(app: string, path: string, message: string): void {
    this.#problems.push({ app, path, message })
  }

  report(): ReplayReport {
    const { from, to, strategies } = this.#options
    const sorted = this.#ratios.toSorted((one, other) => one - other)
    const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 1
    return {
      from,
      to,
      files: this.#files,
      bytes: this.#bytes,
      sessions: this.#sessions.size,
      requests: this.#requests,
      cost: this.#cost,
      unpriced: [...this.#unpriced]
        .map(([model, requests]) => ({ model: model === '' ? 'unknown' : model, requests }))
        .toSorted((one, other) => other.requests - one.requests),
      strategies: this.#strategies.map((sum, index) => ({ ...sum, key: strategies[index] ?? '' })),
      byApp: grouped(this.#groups.app),
      byProject: grouped(this.#groups.project),
      byTool: grouped(this.#groups.tool),
      byKind: grouped(this.#groups.kind),
      worst: this.#worst(),
      added: this.#added,
      tokenRatio: {
        median: sorted.length === 0 ? 1 : median(sorted),
        low: at(0.1),
        high: at(0.9),
        steps: sorted.length,
      },
      already: this.#already,
      repeated: this.#repeated,
      problems: this.#problems,
    }
  }

  #add(
    source: TranscriptSource,
    project: string,
    result: ReplayedResult,
    id: (call: string) => string,
  ): void {
    const { outcomes, tokens, tool, kind, already } = result
    if (result.isRepeated) this.#repeated++
    if (result.isFetch) this.#already.fetches++
    if (already) {
      this.#already.results++
      this.#already.before += already.before
      this.#already.after += already.after
    }
    for (const [index, sum] of this.#strategies.entries()) addTo(sum, tokens, outcomes?.[index])
    const own = outcomes?.[0]
    const keys = { app: TRANSCRIPT_LABELS[source.app], project, tool, kind }
    for (const name of ['app', 'project', 'tool', 'kind'] as const) {
      const groups = this.#groups[name]
      const group = groups.get(keys[name]) ?? emptySum()
      groups.set(keys[name], group)
      addTo(group, tokens, own)
    }
    if (own && own.fetches > 0) this.#addLoss(source, project, result, own, id(result.call))
  }

  #addLoss(
    source: TranscriptSource,
    project: string,
    result: ReplayedResult,
    own: Outcome,
    id: string,
  ): void {
    const { first, later, recovery, after, uses, kept, fetches } = own
    const net = {
      money: first.money + later.money - recovery.money,
      weighted: first.weighted + later.weighted - recovery.weighted,
    }
    const { tool, kind, at, tokens: before } = result
    this.#losses.push({
      id,
      app: TRANSCRIPT_LABELS[source.app],
      project,
      tool,
      kind,
      at,
      before,
      after,
      uses,
      kept,
      fetches,
      net,
    })
    if (this.#losses.length > 2 * MOST_LOSSES) this.#losses = this.#worst()
  }

  /** By what they cost, then by what was missed. */
  #worst(): ReplayLoss[] {
    return this.#losses
      .toSorted(
        (one, other) =>
          one.net.weighted - other.net.weighted || other.uses - other.kept - (one.uses - one.kept),
      )
      .slice(0, MOST_LOSSES)
  }

  #isRepeat(key: string): boolean {
    if (this.#seen.has(key)) return true
    this.#seen.add(key)
    return false
  }
}

function addTo(sum: Sum, tokens: number, outcome: Outcome | undefined): void {
  sum.results++
  sum.before += tokens
  sum.after += outcome?.after ?? tokens
  if (!outcome) return
  if (outcome.after < tokens) sum.shortened++
  addWorth(sum.first, outcome.first)
  addWorth(sum.later, outcome.later)
  addWorth(sum.recovery, outcome.recovery)
  sum.uses += outcome.uses
  sum.kept += outcome.kept
  sum.fetches += outcome.fetches
}

function addWorth(sum: Worth, worth: Worth): void {
  sum.money += worth.money
  sum.weighted += worth.weighted
}

/** Most tokens first. */
const grouped = (groups: ReadonlyMap<string, Sum>): ReplayGroup[] =>
  [...groups].map(([key, sum]) => ({ ...sum, key })).toSorted((one, other) => other.before - one.before)
