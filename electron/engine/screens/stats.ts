import type { Answers } from './http/answers.ts'
import { createPrices } from '../prices/create-prices.ts'
import type { ScreensOptions } from './screens-options.ts'
import { findSuggestions } from './suggestions.ts'
import { SluiceError } from '../ground/errors.ts'

export function createStatsAnswers(options: ScreensOptions): Answers['stats'] {
  const { ledger } = options
  const prices = createPrices(options)
  return {
    report: async (range) => {
      const { totals, byServer, byTool, byClient, byStrategy } = await ledger.report(range)
      return {
        totals,
        byServer: [...byServer],
        byTool: [...byTool],
        byClient: [...byClient],
        byStrategy: [...byStrategy],
      }
    },
    timeline: ({ from, to, unit, timeZone, by, ...only }) => {
      checkTimeZone(timeZone)
      return ledger.timeline({ from, to }, { unit, timeZone, by, only })
    },
    suggestions: async (range) => findSuggestions(await ledger.report(range), await ledger.needs(range)),
    prices: () => prices.list(),
    setPrice: ({ model, ...price }) => prices.set(model, price),
    removePrice: ({ model }) => {
      prices.remove(model)
      return {}
    },
    chooseModel: ({ model }) => {
      prices.choose(model)
      return {}
    },
  }
}

function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format(0)
  } catch (error) {
    throw new SluiceError('BAD_INPUT', `"${timeZone}" isn't a time zone. Write one such as Europe/Berlin.`, {
      cause: error,
    })
  }
}
