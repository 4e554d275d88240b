import { z } from 'zod'
import { BudgetState } from './budgets.ts'
import { OwnPrice, Price } from './prices.ts'
import { get, Nothing, put, remove } from './routes.ts'
import { TrialReport } from './trial.ts'
import { KnownTurns, Savings, TimeRange, ValuedSavings, Worth } from './savings.ts'

const StatsFilter = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  client: z.string().optional(),
  strategy: z.string().optional(),
})

const StatsReport = z.object({
  totals: ValuedSavings,
  known: KnownTurns,
  /** Of the totals, AI apps' own tools. */
  builtIn: ValuedSavings,
  byServer: z.array(ValuedSavings.extend({ server: z.string() })),
  byTool: z.array(ValuedSavings.extend({ server: z.string(), tool: z.string() })),
  byClient: z.array(ValuedSavings.extend({ client: z.string() })),
  byStrategy: z.array(ValuedSavings.extend({ strategy: z.string() })),
  /** By the folder of the client; empty where it isn't told. */
  byProject: z.array(ValuedSavings.extend({ project: z.string() })),
  /** By the model that money is computed for; without a price for an unknown one. */
  byModel: z.array(z.object({ model: z.string(), price: Price.optional(), worth: Worth })),
})

/** `label`: local time, such as 2026-03-01 14:00. */
const TimelinePoint = Savings.extend({ at: z.number(), label: z.string() })
type TimelinePoint = z.infer<typeof TimelinePoint>

export const Suggestion = z.object({
  server: z.string(),
  tool: z.string(),
  calls: z.int(),
  net: z.int(),
  /** Reason and proposal. */
  suggestion: z.string(),
})
export type Suggestion = z.infer<typeof Suggestion>

export const statsContract = {
  report: get('/stats', 'Sums by server, tool, client and strategy').input(TimeRange).output(StatsReport),
  timeline: get('/stats/timeline', 'Sums over time, without empty hours, days or months')
    .input(
      TimeRange.extend({
        unit: z.enum(['hour', 'day', 'month']).default('day'),
        timeZone: z.string().default('UTC').describe('An IANA name, such as Europe/Berlin.'),
        by: z.enum(['server', 'tool', 'client', 'strategy']).optional(),
        ...StatsFilter.shape,
      }),
    )
    .output(
      z.object({
        points: z.array(TimelinePoint),
        /** By `by`, greatest saving first. */
        series: z.array(z.object({ key: z.string(), points: z.array(TimelinePoint) })),
      }),
    ),
  budgets: get('/budgets', 'How much of each budget is used').output(z.array(BudgetState)),
  trial: get('/stats/trial', 'Both groups of a hold-out, side by side').input(TimeRange).output(TrialReport),
  reportFile: get('/stats/report', 'A page about these days, to print or to send')
    .input(TimeRange.extend({ timeZone: z.string().default('UTC'), form: z.enum(['html', 'markdown']) }))
    .output(z.object({ name: z.string(), text: z.string() })),
  suggestions: get('/stats/suggestions', 'Where Sluice did not help')
    .input(TimeRange)
    .output(z.array(Suggestion)),
  prices: get('/prices', 'What a million tokens cost, by model').output(
    z.object({ prices: z.array(Price), chosen: z.string().optional(), fault: z.string().optional() }),
  ),
  setPrice: put('/prices/{model}', "Set the user's own price of a model")
    .input(OwnPrice.extend({ model: Price.shape.model }))
    .output(Price),
  removePrice: remove('/prices/{model}', "Forget the user's own price of a model")
    .input(z.object({ model: z.string() }))
    .output(Nothing),
  chooseModel: put('/prices', 'Choose the model of clients whose own is not known')
    .input(z.object({ model: z.string().optional() }))
    .output(Nothing),
}
