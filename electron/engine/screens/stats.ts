import { priceOfClients } from '../ledger/model-of-client.ts'
import type { LedgerReport } from '../ledger/ledger-report.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'
import { valueReport, type ValuedReport } from '../ledger/value-report.ts'
import type { Answers } from './http/answers.ts'
import { createPrices } from '../prices/create-prices.ts'
import type { ScreensOptions } from './screens-options.ts'
import { findSuggestions } from './suggestions.ts'
import { SluiceError } from '../ground/errors.ts'

/** Two ranges until now, asked one after the other. */
const SAME_MS = 1_000

export function createStatsAnswers(options: ScreensOptions): Answers['stats'] {
  const { ledger } = options
  const prices = createPrices(options)
  /** Under way: the Overview asks for suggestions of the same time at once, and a year takes a quarter of a second. */
  let reading: { readonly range: TimeRange; readonly report: Promise<LedgerReport> } | undefined
  const read = (range: TimeRange): Promise<LedgerReport> => {
    const report = ledger.report(range).finally(() => {
      if (reading?.report === report) reading = undefined
    })
    reading = { range, report }
    return report
  }
  const readAlready = (range: TimeRange): Promise<LedgerReport> =>
    reading?.range.from === range.from && Math.abs(reading.range.to - range.to) < SAME_MS
      ? reading.report
      : read(range)
  const valued = async (range: TimeRange): Promise<ValuedReport> =>
    valueReport(await read(range), priceOfClients(options.settings.current, prices))
  return {
    report: async (range) => {
      const report = await valued(range)
      return {
        ...report,
        byServer: [...report.byServer],
        byTool: [...report.byTool],
        byClient: [...report.byClient],
        byStrategy: [...report.byStrategy],
        byProject: [...report.byProject],
        byModel: [...report.byModel],
      }
    },
    timeline: ({ from, to, unit, timeZone, by, ...only }) => {
      checkTimeZone(timeZone)
      return ledger.timeline({ from, to }, { unit, timeZone, by, only })
    },
    reportFile: async ({ from, to, timeZone, form }) => {
      checkTimeZone(timeZone)
      const { createReport } = await import('../ledger/create-report.ts')
      const files = await createReport(
        { ledger, report: valued },
        { range: { from, to }, timeZone, forms: [form] },
      )
      return files[form] ?? { name: '', text: '' }
    },
    budgets: () => options.budgets.states(),
    trial: (range) => ledger.trial(range),
    suggestions: async (range) => findSuggestions(await readAlready(range), await ledger.needs(range)),
    prices: () => prices.list(),
    setPrice: ({ model, ...price }) => prices.set(model, price),
    removePrice: ({ model }) => prices.remove(model),
    chooseModel: ({ model }) => prices.choose(model),
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
