import { oc } from '@orpc/contract'
import { z } from 'zod'
import { OwnPrice, Price } from './prices.ts'
import { Savings, TimeRange } from './savings.ts'

const StatsFilter = z.object({
  server: z.string().optional(),
  tool: z.string().optional(),
  client: z.string().optional(),
  strategy: z.string().optional(),
})

const StatsReport = z.object({
  totals: Savings,
  byServer: z.array(Savings.extend({ server: z.string() })),
  byTool: z.array(Savings.extend({ server: z.string(), tool: z.string() })),
  byClient: z.array(Savings.extend({ client: z.string() })),
  byStrategy: z.array(Savings.extend({ strategy: z.string() })),
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
  report: oc
    .route({ method: 'GET', path: '/stats', summary: 'Sums by server, tool, client and strategy' })
    .input(TimeRange)
    .output(StatsReport),
  timeline: oc
    .route({
      method: 'GET',
      path: '/stats/timeline',
      summary: 'Sums over time, without empty hours, days or months',
    })
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
  suggestions: oc
    .route({ method: 'GET', path: '/stats/suggestions', summary: 'Where Sluice did not help' })
    .input(TimeRange)
    .output(z.array(Suggestion)),
  prices: oc
    .route({ method: 'GET', path: '/prices', summary: 'What a million tokens cost, by model' })
    .output(z.object({ prices: z.array(Price), chosen: z.string().optional() })),
  setPrice: oc
    .route({ method: 'PUT', path: '/prices/{model}', summary: "Set the user's own price of a model" })
    .input(OwnPrice.extend({ model: Price.shape.model }))
    .output(Price),
  removePrice: oc
    .route({ method: 'DELETE', path: '/prices/{model}', summary: "Forget the user's own price of a model" })
    .input(z.object({ model: z.string() }))
    .output(z.object({})),
  chooseModel: oc
    .route({ method: 'PUT', path: '/prices', summary: 'Choose the model that money is shown for' })
    .input(z.object({ model: z.string() }))
    .output(z.object({})),
}
