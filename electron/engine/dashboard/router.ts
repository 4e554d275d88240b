import { implement } from '@orpc/server'
import { contract } from '../../../shared/api/contract.ts'
import type { CallSummary, Overview } from '../../../shared/api/overview.ts'

/** What the screens' handlers need of the engine. Behaviour lives in the engine; here are only the doors. */
export interface DashboardSources {
  overview(days: number): Promise<Overview>
  /** Calls `listener` for each recorded call until the returned function is called. */
  onCall(listener: (call: CallSummary) => void): () => void
}

/** The most calls that wait for a screen that reads slowly; older ones are dropped, since a list shows the latest. */
const BACKLOG = 500

const server = implement(contract)

export const createRouter = (sources: DashboardSources) =>
  server.router({
    overview: {
      get: server.overview.get.handler(({ input }) => sources.overview(input.days)),
    },
    activity: {
      live: server.activity.live.handler(({ signal }) => liveCalls(sources, signal)),
    },
  })

async function* liveCalls(
  sources: DashboardSources,
  signal: AbortSignal | undefined,
): AsyncGenerator<CallSummary, void, void> {
  const waiting: CallSummary[] = []
  let wake = (): void => {}
  const stop = sources.onCall((call) => {
    waiting.push(call)
    if (waiting.length > BACKLOG) waiting.shift()
    wake()
  })
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    for (const ended = (): boolean => signal?.aborted === true; !ended();) {
      const next = waiting.shift()
      if (next) yield next
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', onAbort)
  }
}
