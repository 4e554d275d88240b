import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import { UNKNOWN_ROW } from '../../../shared/server-id.ts'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import { laterTurns, modelOf, projectOf } from './later-turns.ts'

interface Fetched {
  readonly slot: number
  readonly server: string
  readonly tool: string
  readonly client: string
  readonly strategy: string
  readonly fetched: number
  readonly model: string
  readonly project: string
  /** Tokens times later turns of the result's session. */
  readonly later: number
}

export async function readFetches(
  database: Kysely<DatabaseTables>,
  { from, to }: { readonly from: number; readonly to: number },
  slot: RawBuilder<number> = sql<number>`0`,
): Promise<Fetched[]> {
  const session = sql.ref('calls.session')
  const later = laterTurns({ session, at: sql.ref('fetches.at'), to })
  const rows = await database
    .with('origins', (query) =>
      query
        .selectFrom('calls')
        .select(['result_id', (e) => e.fn.min('id').as('call_id')])
        .where('result_id', 'in', (inner) =>
          inner.selectFrom('fetches').select('result_id').where('at', '>=', from).where('at', '<', to),
        )
        .groupBy('result_id'),
    )
    .selectFrom('fetches')
    .leftJoin('origins', 'origins.result_id', 'fetches.result_id')
    .leftJoin('calls', 'calls.id', 'origins.call_id')
    .select(['calls.server', 'calls.tool', 'fetches.client', 'calls.strategy', slot.as('slot')])
    .select((e) => e.fn.sum<number>('fetches.tokens').as('fetched'))
    .select([
      modelOf(session).as('model'),
      projectOf(session).as('project'),
      sql<number>`sum(fetches.tokens * ${later})`.as('later'),
    ])
    .where('fetches.at', '>=', from)
    .where('fetches.at', '<', to)
    .groupBy([
      'slot',
      'calls.server',
      'calls.tool',
      'fetches.client',
      'calls.strategy',
      sql`model`,
      sql`project`,
    ])
    .execute()
  return rows.map((row) => ({
    ...row,
    server: row.server ?? UNKNOWN_ROW,
    tool: row.tool ?? UNKNOWN_ROW,
    strategy: row.strategy ?? UNKNOWN_ROW,
    model: row.model ?? '',
    project: row.project ?? '',
  }))
}
