import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { CallSummary, Overview } from './overview.ts'

/** Everything that the screens can ask of the engine. Served over loopback HTTP, from one set of handlers. */
export const contract = {
  overview: {
    get: oc
      .route({ method: 'GET', path: '/overview', summary: 'State and sums of the last days' })
      .input(z.object({ days: z.coerce.number().int().min(1).max(400).default(1) }))
      .output(Overview),
  },
  activity: {
    live: oc
      .route({ method: 'GET', path: '/activity/live', summary: 'Each call as it is recorded' })
      .output(eventIterator(CallSummary)),
  },
}
