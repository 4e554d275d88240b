import { sql, type RawBuilder } from 'kysely'

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
