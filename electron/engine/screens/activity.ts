import type { CallSummary } from '../../../shared/api/activity.ts'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import type { CallRow } from '../ledger/call-row.ts'
import { follow } from './live-events.ts'
import { stringIn } from '../protocol/json-rpc.ts'
import { GOAL_PARAMETER } from '../tools/present-tool.ts'
import { summaryOf } from './call-summary.ts'
import type { ScreensOptions } from './screens-options.ts'

export function createActivityAnswers(options: ScreensOptions): Answers['activity'] {
  const { ledger, events, traces, results, logger } = options
  const clean = (text: string): string => logger.cleanText(text)
  return {
    list: async ({ before, limit, ...filter }) => {
      const rows = await ledger.findCalls({ ...filter, before: positionOf(before), limit: limit + 1 })
      const calls = rows.slice(0, limit).map((row) => summaryOf(row, clean))
      const last = rows[limit - 1]
      return rows.length > limit && last ? { calls, next: `${last.at}.${last.id}` } : { calls }
    },
    get: async ({ id }) => {
      const row = await ledger.callOf(id)
      if (!row) throw new SluiceError('RESULT_UNKNOWN', `There is no call "${id.slice(0, 60)}" on record.`)
      const fetches = row.resultId === undefined ? [] : await ledger.fetchesOf(row.resultId)
      const trace = traces.of(id)
      const form = trace?.sent || row.resultId === undefined ? undefined : await results.sentOf(row.resultId)
      const sent = trace?.sent ?? (form?.callId === id ? form.result : undefined)
      const goal = stringIn(trace?.arguments, GOAL_PARAMETER)
      return {
        ...summaryOf(row, clean),
        session: row.session,
        tokensAdded: row.tokensAdded,
        ...(trace?.serverMs === undefined ? {} : { serverMs: trace.serverMs }),
        ...(trace?.compressionMs === undefined ? {} : { compressionMs: trace.compressionMs }),
        ...(trace?.arguments === undefined ? {} : { arguments: trace.arguments }),
        ...(trace?.shapedArguments === undefined ? {} : { shapedArguments: trace.shapedArguments }),
        ...(goal === '' ? {} : { goal }),
        ...(sent === undefined ? {} : { sent }),
        ...(trace?.quarantineId === undefined ? {} : { quarantineId: trace.quarantineId }),
        // Layers end inside out.
        layers: [...(trace?.layers ?? [])].map(([name, ms]) => ({ name, ms: Math.max(0, ms) })).reverse(),
        fetches: fetches
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, client, tool, tokens }) => ({ at, client, tool, tokens })),
      }
    },
    live: (_input, { signal }) =>
      follow<CallSummary>({
        signal,
        subscribe: (listener) => events.on('call-recorded', (row) => listener(summaryOf(row, clean))),
      }),
  }
}

function positionOf(before: string | undefined): Pick<CallRow, 'at' | 'id'> | undefined {
  if (before === undefined) return undefined
  const [, at, id] = /^(\d+)\.(.+)$/.exec(before) ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  throw new SluiceError('BAD_INPUT', '"before" must be the "next" of an earlier answer.')
}
