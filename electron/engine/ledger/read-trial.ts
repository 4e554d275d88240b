import type { StatementSync } from 'node:sqlite'
import type { Estimate, TrialGroup, TrialReport } from '../../../shared/api/trial.ts'
import type { Trial } from './call-row.ts'
import { bootstrapMean, wilson } from './intervals.ts'
import { ESCALATED } from './record-call.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'

/** Newest results that are looked at: a month of much work. */
const MOST_RESULTS = 20_000

const SQL = `
  SELECT c.trial AS trial, c.tokens_before AS before, c.tokens_after AS after,
    c.note IS NOT NULL AND c.note LIKE '${ESCALATED}%' AS repeated,
    EXISTS (SELECT 1 FROM fetches f WHERE f.result_id = c.result_id AND f.at < ?2) AS fetched,
    (SELECT n.outcome = 'error' FROM calls n WHERE n.session = c.session AND n.at > c.at AND n.at < ?2
      ORDER BY n.at LIMIT 1) AS nextFailed,
    (SELECT count(*) FROM calls n WHERE n.session = c.session AND n.at > c.at AND n.at < ?2) AS laterCalls,
    (SELECT max(t.number) FROM turns t WHERE t.session = c.session AND t.at < ?2)
      - coalesce((SELECT t.number FROM turns t WHERE t.session = c.session AND t.at <= c.at
          ORDER BY t.at DESC, t.number DESC LIMIT 1), 0) AS laterTurns
  FROM calls c WHERE c.trial IS NOT NULL AND c.at >= ?1 AND c.at < ?2
  ORDER BY c.at DESC LIMIT ${MOST_RESULTS}`

/** Both groups of a hold-out side by side, so that harm is seen. */
export function readTrial(prepare: (sql: string) => StatementSync, { from, to }: TimeRange): TrialReport {
  const rows = prepare(SQL).all(from, to)
  const group = (name: Trial): TrialGroup => {
    const own = rows.filter(({ trial }) => trial === name)
    const share = (column: string, of = own): Estimate => {
      const hits = of.reduce((sum, row) => sum + Number(row[column]), 0)
      return { of: of.length, value: of.length === 0 ? 0 : hits / of.length, ...wilson(hits, of.length) }
    }
    const mean = (column: string): Estimate => {
      const values = own.flatMap((row) => (row[column] === null ? [] : [Number(row[column])]))
      const sum = values.reduce((total, value) => total + value, 0)
      return {
        of: values.length,
        value: values.length === 0 ? 0 : sum / values.length,
        ...bootstrapMean(values),
      }
    }
    const sum = (column: string): number => own.reduce((total, row) => total + Number(row[column]), 0)
    return {
      results: own.length,
      before: sum('before'),
      after: sum('after'),
      repeated: share('repeated'),
      fetched: share('fetched'),
      nextFailed: share(
        'nextFailed',
        own.filter(({ nextFailed }) => nextFailed !== null),
      ),
      laterCalls: mean('laterCalls'),
      laterTurns: mean('laterTurns'),
    }
  }
  return { held: group('held'), shortened: group('shortened') }
}
