import { join } from 'node:path'
import shipped from '../../../resources/prices.json' with { type: 'json' }
import type { OwnPrice, Price } from '../../../shared/api/prices.ts'
import { SluiceError } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'
import { priceTable, type OwnPrices, type PriceTable } from './price-table.ts'
import { createReadPrices } from './read-own-prices.ts'

export interface Prices {
  /** As of now. */
  table(): PriceTable
  list(): { prices: Price[]; chosen?: string | undefined; fault?: string | undefined }
  /** What is wrong with the user's prices.json; then the shipped ones alone are used. */
  fault(): string | undefined
  set(model: string, price: OwnPrice): Price
  /** Back to Sluice's price, if any. */
  remove(model: string): void
  /** For clients whose model isn't known; undefined: none, so that they have no money. */
  choose(model: string | undefined): void
}

const DAY_MS = 86_400_000
const NONE: OwnPrices = { prices: {} }

/** resources/prices.json, overridden by the user's prices.json in the data folder. */
export function createPrices(options: {
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Pick<Logger, 'warn'>
}): Prices {
  const { logger, now } = options
  const path = join(options.dataDir, 'prices.json')
  const readFile = createReadPrices(options.dataDir)
  let warned: string | undefined

  const read = (): OwnPrices | undefined => {
    const { own, fault } = readFile()
    if (fault !== undefined && fault !== warned) logger.warn(fault)
    warned = fault
    return own
  }
  const readOwn = (): OwnPrices => read() ?? NONE
  const readToChange = (): OwnPrices => {
    const own = read()
    if (own) return own
    throw new SluiceError(
      'BAD_INPUT',
      `The prices weren't changed. ${readFile().fault ?? `${path} can't be read.`}`,
    )
  }
  const write = (own: OwnPrices): void => writeFileAtomically(path, `${JSON.stringify(own, null, 2)}\n`)
  let made: { readonly own: OwnPrices; readonly day: number; readonly table: PriceTable } | undefined
  const tableOf = (own: OwnPrices): PriceTable => {
    const day = Math.floor(now() / DAY_MS)
    if (made?.own !== own || made.day !== day) made = { own, day, table: priceTable(shipped, own, now()) }
    return made.table
  }
  return {
    table: () => tableOf(readOwn()),
    list: () => {
      const { chosen, ...own } = readOwn()
      const { fault } = readFile()
      return {
        prices: [...tableOf(own).list],
        ...(chosen === undefined ? {} : { chosen }),
        ...(fault === undefined ? {} : { fault }),
      }
    },
    fault: () => readFile().fault,
    set: (model, price) => {
      const own = readToChange()
      const date = new Date(now()).toISOString().slice(0, 10)
      const known = own.prices[model]
      const cache = { ...known?.cache, ...price.cache }
      const row = { ...known, ...price, ...(Object.keys(cache).length > 0 && { cache }), date }
      const changed = { ...own, prices: { ...own.prices, [model]: row } }
      write(changed)
      return tableOf(changed).find(model) ?? unknown(model)
    },
    remove: (model) => {
      const own = readToChange()
      const { [model]: removed, ...rest } = own.prices
      if (!removed) unknown(model)
      write({ ...own, prices: rest })
    },
    choose: (model) => {
      const { chosen: _before, ...own } = readToChange()
      if (model !== undefined && !tableOf(own).find(model)) unknown(model)
      write({ ...own, ...(model === undefined ? {} : { chosen: model }) })
    },
  }
}

function unknown(model: string): never {
  throw new SluiceError('BAD_INPUT', `There is no price for "${model}". Set one first.`)
}
