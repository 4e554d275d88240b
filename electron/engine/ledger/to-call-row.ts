import type { CallsTable } from '../ground/database/database-tables.ts'
import type { CallRow } from './call-row.ts'

export const toCallRow = (row: CallsTable): CallRow => ({
  id: row.id,
  at: row.at,
  client: row.client,
  session: row.session,
  server: row.server,
  tool: row.tool,
  outcome: row.outcome,
  tokensBefore: row.tokens_before,
  tokensAfter: row.tokens_after,
  tokensAdded: row.tokens_added,
  strategy: row.strategy ?? undefined,
  resultId: row.result_id ?? undefined,
  ms: row.ms,
  cached: row.cached !== 0,
  note: row.note ?? undefined,
  trial: row.trial ?? undefined,
})
