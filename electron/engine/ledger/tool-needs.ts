import type { StatementSync } from 'node:sqlite'
import type { CompressionPolicy } from '../../../shared/policy.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { RESOURCES_READ } from '../../../shared/resources-read.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'
import { ESCALATED } from './record-call.ts'

/** Tokens are averages. */
export interface ToolNeed {
  readonly server: string
  readonly tool: string
  /** Each shortened result once … */
  readonly results: number
  /** … and those the model wanted more of: it fetched the rest or repeated the call at once. */
  readonly again: number
  readonly before: number
  readonly after: number
  readonly fetched: number
}

export interface PolicySuggestion {
  readonly suggestion: string
  readonly compression: Partial<CompressionPolicy>
}

const FEW_RESULTS = 3
const ALWAYS = 0.8
/** Share of the whole above which sending it whole is cheaper. */
const NEARLY_WHOLE = 0.6
const STEP = 500
/** A fetch is often only the missed piece, and a little more would miss another. */
const LEAST_MORE = 1.5

/** Of most tools nothing more was wanted, so the averages are of a few tools' results. */
const SQL = `
  WITH wanted AS (
    SELECT server, tool FROM calls WHERE result_id IN (SELECT result_id FROM fetches WHERE at >= ?1)
      AND tool <> '${RESOURCES_READ}'
    UNION SELECT server, tool FROM calls WHERE at >= ?1 AND at < ?2 AND note IS NOT NULL AND note LIKE '${ESCALATED}%'
  ), shortened AS (
    SELECT server, tool, result_id, max(tokens_before) AS before, max(tokens_after) AS after,
           max(note IS NOT NULL AND note LIKE '${ESCALATED}%') AS repeated
    FROM calls INDEXED BY calls_shortened
    WHERE at >= ?1 AND at < ?2 AND result_id IS NOT NULL AND client <> '${SCREENS_CLIENT}'
      AND (server, tool) IN (SELECT server, tool FROM wanted)
    GROUP BY server, tool, result_id
  ), read AS (SELECT result_id, sum(tokens) AS tokens FROM fetches WHERE at >= ?1 GROUP BY result_id)
  SELECT server, tool, count(*) AS results, sum(repeated OR read.tokens IS NOT NULL) AS again,
         avg(before) AS before, avg(after) AS after, avg(coalesce(read.tokens, 0)) AS fetched
  FROM shortened LEFT JOIN read ON read.result_id = shortened.result_id
  GROUP BY server, tool ORDER BY server, tool`

export const readNeeds = (prepare: (sql: string) => StatementSync, { from, to }: TimeRange): ToolNeed[] =>
  prepare(SQL)
    .all(from, to)
    .map((row) => ({
      server: String(row['server']),
      tool: String(row['tool']),
      results: Number(row['results']),
      again: Number(row['again']),
      before: Math.round(Number(row['before'])),
      after: Math.round(Number(row['after'])),
      fetched: Math.round(Number(row['fetched'])),
    }))

/** If shortened results are (nearly) always fetched. */
export function suggestPolicy({
  results,
  again,
  before,
  after,
  fetched,
}: ToolNeed): PolicySuggestion | undefined {
  if (results < FEW_RESULTS || again < results * ALWAYS) return undefined
  const wanted = Math.max(after + fetched, Math.round(after * LEAST_MORE))
  const found = `Of ${again} of its ${results} shortened results the model wanted more than ${after} tokens: about ${wanted}`
  if (wanted >= before * NEARLY_WHOLE)
    return {
      suggestion: `${found} of ${before}. Set its compression.strategy to off.`,
      compression: { strategy: 'off' },
    }
  const maxOutputTokens = Math.ceil((wanted + 1) / STEP) * STEP
  return {
    suggestion: `${found}. Set its compression.maxOutputTokens to ${maxOutputTokens}.`,
    compression: { maxOutputTokens },
  }
}
