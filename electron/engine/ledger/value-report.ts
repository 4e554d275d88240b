import type { Price } from '../../../shared/api/prices.ts'
import { appOfBuiltIn } from '../../../shared/built-in.ts'
import type { Worth } from '../../../shared/api/savings.ts'
import { worthOf, wroteCost } from '../prices/cost.ts'
import type { LedgerEntry } from './ledger-entries.ts'
import type { foldEntries, LedgerReport } from './ledger-report.ts'

/** Of one entry's client, or undefined where its model or the model's price isn't known. */
export type PriceOf = (entry: Pick<LedgerEntry, 'client' | 'model'>) => Price | undefined

const noWorth: Worth = { dollars: 0, priced: 0, laterDollars: 0, later: 0 }

/**
 * Net tokens count once as written into the cache, and once as read for each known later turn. What the client's model
 * wrote for Sluice's parameters costs its output price, too.
 */
function worthOfEntry(entry: LedgerEntry, price: Price | undefined): Worth {
  if (price === undefined) return { ...noWorth, later: entry.later }
  const laterDollars = worthOf(entry.later, price, 'read')
  const dollars = worthOf(entry.net, price, 'write') + laterDollars - wroteCost(entry.written, price)
  return { dollars, priced: entry.net, laterDollars, later: entry.later }
}

const addWorth = (a: Worth, b: Worth): Worth => ({
  dollars: a.dollars + b.dollars,
  priced: a.priced + b.priced,
  laterDollars: a.laterDollars + b.laterDollars,
  later: a.later + b.later,
})

/** A row of a report, and what its entries are worth. */
export type Valued<Row> = Row & { readonly worth: Worth }

type Groups = ReturnType<typeof foldEntries>
export type ValuedReport = Pick<LedgerReport, 'range' | 'known'> & {
  readonly [Group in keyof Groups]: Groups[Group] extends readonly (infer Row)[]
    ? readonly Valued<Row>[]
    : Valued<Groups[Group]>
} & {
  /** By the model that money is computed for; without a price for an unknown one. */
  readonly byModel: readonly {
    readonly model: string
    readonly price: Price | undefined
    readonly worth: Worth
  }[]
}

/** The one place where tokens become money: Overview, `stats` and the weekly report. */
export function valueReport(report: LedgerReport, priceOf: PriceOf): ValuedReport {
  const priced = report.entries.map((entry) => {
    const price = priceOf(entry)
    return { entry, price, worth: worthOfEntry(entry, price) }
  })
  const sums = (keyOf: (entry: LedgerEntry) => string): Map<string, Worth> => {
    const found = new Map<string, Worth>()
    for (const { entry, worth } of priced) {
      const key = keyOf(entry)
      found.set(key, addWorth(found.get(key) ?? noWorth, worth))
    }
    return found
  }
  const valued = <Row>(rows: readonly Row[], keyOf: (row: Row & LedgerEntry) => string): Valued<Row>[] => {
    const worths = sums(keyOf as (entry: LedgerEntry) => string)
    return rows.map((row) => ({ ...row, worth: worths.get(keyOf(row as Row & LedgerEntry)) ?? noWorth }))
  }
  const models = Map.groupBy(priced, ({ price, entry }) => price?.model ?? entry.model)
  const { range, known, totals, builtIn } = report
  const builtInWorth = priced.flatMap(({ entry, worth }) =>
    appOfBuiltIn(entry.server) === undefined ? [] : [worth],
  )
  return {
    range,
    known,
    totals: { ...totals, worth: priced.map(({ worth }) => worth).reduce(addWorth, noWorth) },
    builtIn: { ...builtIn, worth: builtInWorth.reduce(addWorth, noWorth) },
    byServer: valued(report.byServer, ({ server }) => server),
    byTool: valued(report.byTool, ({ server, tool }) => JSON.stringify([server, tool])),
    byClient: valued(report.byClient, ({ client }) => client),
    byStrategy: valued(report.byStrategy, ({ strategy }) => strategy),
    byProject: valued(report.byProject, ({ project }) => project),
    byModel: [...models]
      .map(([model, rows]) => ({
        model,
        price: rows[0]?.price,
        worth: rows.map(({ worth }) => worth).reduce(addWorth, noWorth),
      }))
      .sort((a, b) => b.worth.dollars - a.worth.dollars || (a.model < b.model ? -1 : 1)),
  }
}
