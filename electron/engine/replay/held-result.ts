import { NOTHING, plus, times, type Rate, type RateSum, type RequestRates } from './rates.ts'
import type { Shortened } from './shortener.ts'

/** The call of a page of what was left out: name, id, place. */
const CALL_TOKENS = 60

export interface ResultFacts {
  readonly call: string
  readonly tool: string
  readonly kind: string
  readonly at: number
  /** o200k_base. */
  readonly tokens: number
  /** By each strategy; undefined: left as it is. */
  readonly forms: readonly (Shortened | undefined)[]
  /** Its number among the results of its context. */
  readonly index: number
  /** Prompt tokens before it. */
  readonly position: number
  readonly leavesAt: number | undefined
  /** A page of what was left out. */
  readonly pageTokens: number
}

/** What one strategy changes for a result. */
export interface Outcome {
  readonly after: number
  readonly first: Rate
  readonly later: Rate
  readonly recovery: Rate
  readonly uses: number
  readonly kept: number
  readonly fetches: number
}

interface Use {
  uses: number
  kept: number
  /** 1: a call or edit needed what was left out; 0.5: an answer did. */
  fetch: number
  /** Of the first such. */
  fetched:
    | { readonly base: Rate; readonly entry: Rate; readonly start: Rate; readonly extra: Rate }
    | undefined
}

/** A result in a context, with at least one strategy that shortens it. */
export class HeldResult {
  readonly facts: ResultFacts
  /** Unknown after a compaction until the next request. */
  position: number
  #entry: Rate | undefined
  #start: Rate = NOTHING
  /** Of requests that wrote it again instead of reading it. */
  #extra: Rate = NOTHING
  readonly #uses: readonly Use[]

  constructor(facts: ResultFacts) {
    this.facts = facts
    this.position = facts.position
    this.#uses = facts.forms.map(() => ({ uses: 0, kept: 0, fetch: 0, fetched: undefined }))
  }

  get hasEntered(): boolean {
    return this.#entry !== undefined
  }

  /** Most of it has to be in the cache, because a prefix is cached by whole messages. */
  isRead(read: number): boolean {
    return read >= this.position + this.facts.tokens / 2
  }

  /** `sum`: with this request. */
  enter(rate: Rate, sum: RateSum): void {
    this.#entry = rate
    this.#start = sum.now()
  }

  writeAgain({ entry, read }: RequestRates): void {
    this.#extra = plus(this.#extra, plus(entry, times(read, -1)))
  }

  /** `rates`, `prompt`: of the request that answered with the use. */
  use(
    weight: number,
    need: number,
    isShown: (strategy: number) => boolean,
    { rates, prompt }: { readonly rates: RequestRates; readonly prompt: number },
    sum: RateSum,
  ): void {
    for (const [index, form] of this.facts.forms.entries()) {
      const use = this.#uses[index]
      if (!form || !use) continue
      use.uses += weight
      if (isShown(index)) {
        use.kept += weight
        continue
      }
      use.fetch = Math.max(use.fetch, need)
      use.fetched ??= {
        base: plus(times(rates.output, CALL_TOKENS), times(rates.read, prompt)),
        entry: rates.entry,
        start: sum.now(),
        extra: this.#extra,
      }
    }
  }

  /** When it leaves its context. `ratio`: the model's tokens for each of o200k_base. */
  outcomes(sum: RateSum, ratio: number): readonly Outcome[] {
    return this.facts.forms.map((form, index) => {
      const after = form?.tokens ?? this.facts.tokens
      const saved = (this.facts.tokens - after) * ratio
      const { uses, kept, fetch, fetched } = this.#uses[index] ?? {
        uses: 0,
        kept: 0,
        fetch: 0,
        fetched: undefined,
      }
      const page = Math.min(this.facts.tokens - after, this.facts.pageTokens) * ratio
      const carried = fetched && plus(sum.since(fetched.start), plus(this.#extra, times(fetched.extra, -1)))
      return {
        after,
        first: this.#entry ? times(this.#entry, saved) : NOTHING,
        later: this.#entry ? times(plus(sum.since(this.#start), this.#extra), saved) : NOTHING,
        recovery:
          fetched && carried
            ? times(plus(fetched.base, times(plus(fetched.entry, carried), page)), fetch)
            : NOTHING,
        uses,
        kept,
        fetches: fetch,
      }
    })
  }
}
