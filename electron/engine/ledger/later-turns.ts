import { sql, type RawBuilder } from 'kysely'
import type { TimeRange } from '../../../shared/api/savings.ts'

/** Of what entered a session's context at a time. Zero where the session's turns aren't known. */
interface Entered {
  readonly session: RawBuilder<unknown>
  readonly at: RawBuilder<unknown>
  /** Later turns don't count. */
  readonly to: number
  /** Tool lists stay when earlier results leave the context. */
  readonly staysAlways?: boolean
}

/** Requests that sent it again: those after the first one in whose prompt it was. */
export function laterTurns({ session, at, to, staysAlways = false }: Entered): RawBuilder<number> {
  const before = (column: 'number' | 'context'): RawBuilder<number> =>
    sql`coalesce((SELECT b.${sql.raw(column)} FROM turns b WHERE b.session = ${session} AND b.at <= ${at}
      ORDER BY b.at DESC, b.number DESC LIMIT 1), 0)`
  const sameContext = staysAlways ? sql`` : sql`AND n.context = ${before('context')}`
  return sql`max(0, coalesce((SELECT max(n.number) FROM turns n WHERE n.session = ${session}
    ${sameContext} AND n.at < ${to}), 0) - ${before('number')} - 1)`
}

/** The session's latest known model. */
export const modelOf = (session: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(SELECT m.model FROM turns m WHERE m.session = ${session} AND m.model IS NOT NULL
    ORDER BY m.at DESC, m.number DESC LIMIT 1)`

/** The folder of the session's client. */
export const projectOf = (session: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(SELECT s.project FROM sessions s WHERE s.session = ${session})`

/**
 * The range of each session with known turns, in parts between one turn and the next: what entered the context in a
 * part has the same later turns. Rows: session, start, next (not in it), later, model, project.
 */
export const spansOfTurns = ({ from, to }: TimeRange): RawBuilder<unknown> => sql`
  WITH named AS MATERIALIZED (
    SELECT session, coalesce(${modelOf(sql.ref('t.session'))}, '') AS model,
      coalesce(${projectOf(sql.ref('t.session'))}, '') AS project, first
    FROM (SELECT session, min(at) AS first FROM turns GROUP BY session) t
  ), ends AS MATERIALIZED (
    SELECT session, context, max(number) AS last FROM turns WHERE at < ${to} GROUP BY session, context
  ), points AS (
    SELECT session, at AS start, lead(at, 1, ${to}) OVER (PARTITION BY session ORDER BY at, number) AS next,
      number, context
    FROM turns WHERE at < ${to}
    UNION ALL SELECT session, ${from}, first, 0, 0 FROM named
  )
  SELECT points.session, max(start, ${from}) AS start, min(next, ${to}) AS next,
    max(0, coalesce(last, 0) - number - 1) AS later, model, project
  FROM points JOIN named ON named.session = points.session
    LEFT JOIN ends ON ends.session = points.session AND ends.context = points.context
  WHERE start < next AND next > ${from} AND start < ${to}`
