import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import type { CallOutcome, CallRow } from './call-row.ts'
import { toCallRow } from './to-call-row.ts'

/** Omitted fields don't filter. */
export interface CallSearch {
  readonly id?: string | undefined
  /** Of the stored original. */
  readonly resultId?: string | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly client?: string | undefined
  readonly outcome?: CallOutcome | undefined
  readonly only?: 'shortened' | 'kept' | 'cached' | undefined
  readonly text?: string | undefined
  /** Unix milliseconds, `from` inclusive, `to` exclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Older than this call. */
  readonly before?: Pick<CallRow, 'at' | 'id'> | undefined
  readonly limit: number
}

export async function findCalls(database: Kysely<DatabaseTables>, search: CallSearch): Promise<CallRow[]> {
  const { before, text } = search
  let query = database.selectFrom('calls').selectAll()
  for (const column of ['id', 'server', 'tool', 'client', 'outcome'] as const) {
    const wanted = search[column]
    if (wanted !== undefined) query = query.where(column, '=', wanted)
  }
  if (search.resultId !== undefined) query = query.where('result_id', '=', search.resultId)
  if (search.from !== undefined) query = query.where('at', '>=', search.from)
  if (search.to !== undefined) query = query.where('at', '<', search.to)
  if (search.only === 'cached') query = query.where('cached', '!=', 0)
  if (search.only === 'kept') query = query.where('result_id', 'is not', null)
  if (search.only === 'shortened') query = query.whereRef('tokens_after', '<', 'tokens_before')
  if (text !== undefined && text !== '') {
    const isLike = likeOf(text)
    // A million calls have few names, and few have a note.
    const names = await Promise.all(
      (['server', 'tool', 'client'] as const).map(async (column) => {
        const found = database.selectFrom('call_sums').select(column).distinct().where(isLike(column))
        return { column, values: (await found.execute()).map((row) => row[column]) }
      }),
    )
    const named = names.filter(({ values }) => values.length > 0)
    query = query.where((e) =>
      e.or([
        e.and([e('note', 'is not', null), isLike('note')]),
        ...named.map(({ column, values }) => e(column, 'in', values)),
      ]),
    )
  }
  if (before !== undefined) {
    query = query.where((e) =>
      e.or([e('at', '<', before.at), e.and([e('at', '=', before.at), e('id', '<', before.id)])]),
    )
  }
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(search.limit).execute()
  return rows.map(toCallRow)
}

function likeOf(text: string): (column: 'server' | 'tool' | 'client' | 'note') => RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  return (column) => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}
