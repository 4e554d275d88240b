import { costOf, worthOf } from '../prices/cost.ts'
import type { PriceTable } from '../prices/price-table.ts'
import { promptTokens, type Rate, type RatesOf } from './rates.ts'

/** For a model without a known price: tokens are weighed by the most common rules, and have no money. */
const USUAL = { write: 1.25, longWrite: 2, read: 0.1, output: 5 }

export function ratesOfPrices(prices: Pick<PriceTable, 'find'>): RatesOf {
  return ({ model, at, usage, charged = 0 }) => {
    const { input, read, write5m, write1h, output } = usage
    const prompt = promptTokens(usage)
    const price = prices.find(model, at === 0 ? undefined : at)
    const cost = price && costOf({ uncached: input, write: write5m, longWrite: write1h, read, output }, price)
    /** Of what came new with this request, some may be written for longer. */
    const written = write5m + write1h
    const mixed = (short: number, long: number, plain: number): number =>
      written === 0 ? plain : (short * write5m + long * write1h) / written
    if (price && cost) {
      const plain = worthOf(1, price, 'plain', prompt)
      const rate = (money: number): Rate => ({ money, weighted: plain === 0 ? 0 : money / plain })
      const outputOnly = costOf({ uncached: prompt, write: 0, longWrite: 0, read: 0, output: 1 }, price)
      return {
        entry: rate(mixed(worthOf(1, price, 'write', prompt), worthOf(1, price, 'longWrite', prompt), plain)),
        read: rate(worthOf(1, price, 'read', prompt)),
        output: rate(outputOnly?.output ?? plain),
        cost: rate(cost.total),
        isPriced: true,
      }
    }
    const weighted = (factor: number): Rate => ({ money: 0, weighted: factor })
    return {
      entry: weighted(mixed(USUAL.write, USUAL.longWrite, 1)),
      read: weighted(USUAL.read),
      output: weighted(USUAL.output),
      cost: {
        // What the app booked is better than nothing.
        money: charged,
        weighted:
          input +
          write5m * USUAL.write +
          write1h * USUAL.longWrite +
          read * USUAL.read +
          output * USUAL.output,
      },
      isPriced: charged > 0,
    }
  }
}
