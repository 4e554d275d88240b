import type { Price } from '../../../shared/api/prices.ts'

/** Tokens of one request. Some providers report `uncached` with reads included: subtract them first. */
export interface Usage {
  readonly uncached: number
  /** Into the cache, for its usual life … */
  readonly write: number
  /** … and for the long one. */
  readonly longWrite: number
  readonly read: number
  /** Thinking included. */
  readonly output: number
}

/** US dollars, list price. */
interface Cost {
  readonly uncached: number
  readonly write: number
  readonly read: number
  readonly output: number
  readonly total: number
}

/** How tokens enter a prompt. */
type Entry = 'plain' | 'write' | 'longWrite' | 'read'

const MILLION = 1_000_000

/** Undefined where the price of something used isn't known. */
export function costOf(usage: Usage, price: Price): Cost | undefined {
  const prompt = usage.uncached + usage.write + usage.longWrite + usage.read
  const at = pricesFor(prompt, price)
  if (usage.output > 0 && at.outputPerMillion === undefined) return undefined
  if (price.cache === undefined && usage.write + usage.longWrite + usage.read > 0) return undefined
  const { write, longWrite, read } = price.cache ?? { write: 0, longWrite: 0, read: 0 }
  const input = at.inputPerMillion / MILLION
  const uncachedCost = usage.uncached * input
  const writeCost = (usage.write * write + usage.longWrite * longWrite) * input
  const readCost = usage.read * read * input
  const outputCost = (usage.output * (at.outputPerMillion ?? 0)) / MILLION
  return {
    uncached: uncachedCost,
    write: writeCost,
    read: readCost,
    output: outputCost,
    total: uncachedCost + writeCost + readCost + outputCost,
  }
}

/** Of tokens in a prompt of `promptTokens`. Without known cache rules they enter as plain input, and reads aren't priced. */
export function worthOf(tokens: number, price: Price, entry: Entry, promptTokens = 0): number {
  const { inputPerMillion } = pricesFor(promptTokens, price)
  const factor = entry === 'plain' ? 1 : (price.cache?.[entry] ?? (entry === 'read' ? 0 : 1))
  return (tokens * factor * inputPerMillion) / MILLION
}

/** Of tokens that a model wrote. Without a known output price they cost what input does. */
export const wroteCost = (tokens: number, price: Price): number =>
  (tokens * (price.outputPerMillion ?? price.inputPerMillion)) / MILLION

const pricesFor = (promptTokens: number, price: Price): Pick<Price, 'inputPerMillion' | 'outputPerMillion'> =>
  price.longPrompt && promptTokens > price.longPrompt.aboveTokens ? price.longPrompt : price
