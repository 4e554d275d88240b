import type { Usage } from '../transcripts/transcript.ts'

/** Of one token of a request: US dollars, and in tokens of uncached input. */
export interface Rate {
  readonly money: number
  readonly weighted: number
}

export interface RequestRates {
  /** As what came new enters: written to the cache, or read as plain input. */
  readonly entry: Rate
  /** Already in the cache. */
  readonly read: Rate
  readonly output: Rate
  /** Of the whole request. */
  readonly cost: Rate
  /** The model's price is known. */
  readonly isPriced: boolean
}

interface PricedRequest {
  readonly model: string
  readonly at: number
  readonly usage: Usage
  readonly charged?: number | undefined
}

/** By the provider's prices and cache rules. */
export type RatesOf = (request: PricedRequest) => RequestRates

export const promptTokens = (usage: Usage): number => usage.input + usage.read + usage.write5m + usage.write1h

/** Running sums of what a token in the cache costs with each request: a life costs the difference of two. */
export class RateSum {
  money = 0
  weighted = 0

  add(rate: Rate): void {
    this.money += rate.money
    this.weighted += rate.weighted
  }

  since(start: Rate): Rate {
    return { money: this.money - start.money, weighted: this.weighted - start.weighted }
  }

  now(): Rate {
    return { money: this.money, weighted: this.weighted }
  }
}

export const plus = (one: Rate, other: Rate): Rate => ({
  money: one.money + other.money,
  weighted: one.weighted + other.weighted,
})

export const times = (rate: Rate, factor: number): Rate => ({
  money: rate.money * factor,
  weighted: rate.weighted * factor,
})

export const NOTHING: Rate = { money: 0, weighted: 0 }
