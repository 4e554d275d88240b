import type { CallSummary } from '../../../shared/api/activity.ts'
import type { CallRow } from '../ledger/call-row.ts'

export const summaryOf = (row: CallRow, clean: (text: string) => string): CallSummary => ({
  id: row.id,
  at: row.at,
  client: row.client,
  server: row.server,
  tool: row.tool,
  outcome: row.outcome,
  tokensBefore: row.tokensBefore,
  tokensAfter: row.tokensAfter,
  ms: row.ms,
  cached: row.cached,
  ...(row.strategy === undefined ? {} : { strategy: row.strategy }),
  ...(row.resultId === undefined ? {} : { resultId: row.resultId }),
  ...(row.note === undefined ? {} : { note: clean(row.note) }),
})
