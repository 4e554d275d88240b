import { z } from 'zod'
import { CacheRules, OwnPrice, Price } from '../../../shared/api/prices.ts'
import { modelKey } from './model-key.ts'

/** Of most providers. */
const USUAL = { lifeMinutes: 5, longLifeMinutes: 60, minimumTokens: 1024 }

const Shipped = z.object({
  providers: z.array(z.object({ provider: z.string(), cache: CacheRules })),
  prices: z.array(Price.omit({ isOwn: true }).extend({ cache: CacheRules.partial().optional() })),
})

/** The user's file. Its first versions had `inputPerMillion` alone. */
export const OwnPrices = z.looseObject({
  chosen: z.string().optional(),
  prices: z.record(z.string(), OwnPrice.extend({ date: z.string() })).default({}),
})
export type OwnPrices = z.infer<typeof OwnPrices>

export interface PriceTable {
  /** Today's price of each model; models that the user added come last. */
  readonly list: readonly Price[]
  /** On a day; default: today's. Undefined for an unknown model: then there are tokens, but no money. */
  find(model: string, at?: number): Price | undefined
}

/** The user's prices over the shipped ones. `now`: Unix milliseconds. */
export function priceTable(shipped: unknown, own: OwnPrices, now: number): PriceTable {
  const { providers, prices } = Shipped.parse(shipped)
  const rules = new Map(providers.map(({ provider, cache }) => [provider, cache]))
  const rows = prices.map((row): Price => {
    const cache = { ...rules.get(row.provider), ...row.cache }
    return { ...row, cache: completeRules(cache), isOwn: false }
  })
  const byKey = Map.groupBy(
    rows.flatMap((row) => [row.model, ...(row.aliases ?? [])].map((name) => ({ key: modelKey(name), row }))),
    ({ key }) => key,
  )
  const shippedOn = (key: string, at: number): Price | undefined => {
    const day = new Date(at).toISOString().slice(0, 10)
    return byKey
      .get(key)
      ?.map(({ row }) => row)
      .filter(({ from = '' }) => from <= day)
      .reduce<Price | undefined>(
        (best, row) => ((row.from ?? '') >= (best?.from ?? '') ? row : best),
        undefined,
      )
  }
  const ownRows = new Map(
    Object.entries(own.prices).map(([model, { date, cache, ...prices }]): [string, Price] => {
      const known = shippedOn(modelKey(model), now)
      return [
        model,
        {
          ...(known?.aliases && { aliases: known.aliases }),
          ...(known?.outputPerMillion === undefined ? {} : { outputPerMillion: known.outputPerMillion }),
          ...prices,
          model,
          provider: known?.provider ?? '',
          cache: completeRules({ ...known?.cache, ...cache }),
          date,
          source: 'you',
          isOwn: true,
        },
      ]
    }),
  )
  const ownByKey = new Map(
    [...ownRows].flatMap(([model, row]) =>
      [model, ...(row.aliases ?? [])].map((name) => [modelKey(name), row] as const),
    ),
  )
  const models = [...new Set(rows.map(({ model }) => model))].filter(
    (model) => !ownByKey.has(modelKey(model)),
  )
  const list = models.flatMap((model) => shippedOn(modelKey(model), now) ?? [])
  return {
    list: [...list, ...ownRows.values()],
    find: (model, at = now) =>
      ownRows.get(model) ?? ownByKey.get(modelKey(model)) ?? shippedOn(modelKey(model), at),
  }
}

/** Undefined without both factors. */
const completeRules = ({ write, read, ...rules }: Partial<CacheRules>): CacheRules | undefined =>
  write === undefined || read === undefined
    ? undefined
    : { ...USUAL, ...rules, write, read, longWrite: rules.longWrite ?? write }
