import { DatabaseSync } from 'node:sqlite'

/** As of the schema before variables were pinned. */
export function withoutVariables(path: string): void {
  const database = new DatabaseSync(path)
  for (const table of ['pins', 'wordings', 'pending', 'history'])
    database.exec(`DELETE FROM ${table} WHERE kind = 'variables'`)
  database.exec('DROP TABLE IF EXISTS launches_without_variables')
  database.exec(
    'UPDATE tally SET pins = (SELECT count(*) FROM pins), wordings = (SELECT count(*) FROM wordings)',
  )
  database.exec('DELETE FROM migrations WHERE version >= 8')
  database.close()
}
