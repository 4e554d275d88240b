import { join } from 'node:path'
import { z } from 'zod'
import type { Price } from '../../../shared/api/stats.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { readOrNothing } from '../ground/files/read-or-nothing.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'

const Shipped = z.object({
  prices: z.array(
    z.object({
      model: z.string(),
      provider: z.string(),
      inputPerMillion: z.number(),
      date: z.string(),
      source: z.string(),
      note: z.string().optional(),
    }),
  ),
})
const Own = z.object({
  chosen: z.string().optional(),
  prices: z
    .record(z.string(), z.object({ inputPerMillion: z.number().min(0), date: z.string() }))
    .default({}),
})
type Own = z.infer<typeof Own>

export interface Prices {
  list(): { prices: Price[]; chosen?: string | undefined }
  set(model: string, inputPerMillion: number): Price
  /** Back to Sluice's price, if any. */
  remove(model: string): void
  choose(model: string): void
}

/** Built files are one folder deeper than sources. */
const FOLDERS = ['../../../resources/', '../../../../resources/']

/** resources/prices.json, overridden by the user's in the data folder. */
export function createPrices(options: { dataDir: string; now: () => number; logger: Logger }): Prices {
  const { logger, now } = options
  const path = join(options.dataDir, 'prices.json')
  const shipped = readShipped()

  const readOwn = (): Own => {
    const text = readOrNothing(path)
    if (text === undefined) return { prices: {} }
    try {
      return Own.parse(JSON.parse(text))
    } catch (error) {
      logger.warn(`The prices in ${path} can't be read; those that come with Sluice are used.`, {
        cause: messageOf(error),
      })
      return { prices: {} }
    }
  }
  const write = (own: Own): void => writeFileAtomically(path, `${JSON.stringify(own, null, 2)}\n`)
  const list = (own: Own): Price[] => [
    ...shipped
      .filter(({ model }) => own.prices[model] === undefined)
      .map((price) => ({ ...price, isOwn: false })),
    ...Object.entries(own.prices).map(([model, { inputPerMillion, date }]) => ({
      model,
      provider: shipped.find((price) => price.model === model)?.provider ?? '',
      inputPerMillion,
      date,
      source: 'you',
      isOwn: true,
    })),
  ]
  return {
    list: () => {
      const own = readOwn()
      return { prices: list(own), ...(own.chosen === undefined ? {} : { chosen: own.chosen }) }
    },
    set: (model, inputPerMillion) => {
      const own = readOwn()
      const date = new Date(now()).toISOString().slice(0, 10)
      const changed = { ...own, prices: { ...own.prices, [model]: { inputPerMillion, date } } }
      write(changed)
      return list(changed).find((price) => price.model === model && price.isOwn) ?? unknown(model)
    },
    remove: (model) => {
      const own = readOwn()
      const { [model]: removed, ...rest } = own.prices
      if (!removed) unknown(model)
      write({ ...own, prices: rest })
    },
    choose: (model) => {
      const own = readOwn()
      if (!list(own).some((price) => price.model === model)) unknown(model)
      write({ ...own, chosen: model })
    },
  }
}

function unknown(model: string): never {
  throw new SluiceError('BAD_INPUT', `There is no price for "${model}". Set one first.`)
}

function readShipped(): z.infer<typeof Shipped>['prices'] {
  for (const folder of FOLDERS) {
    const text = readOrNothing(new URL('prices.json', new URL(folder, import.meta.url)))
    if (text !== undefined) return Shipped.parse(JSON.parse(text)).prices
  }
  return []
}
