import type { Database } from '../ground/database/database.ts'

/** Rows of the history, per server, that say only that something was seen. */
const MOST_SEEN = 500

/** A server that changes again and again must not fill the disk: decisions are kept, what was only seen is not for ever. */
export function forgetOldSeen(database: Database, identity: string): void {
  database
    .prepare(
      `DELETE FROM history WHERE identity = ? AND action = 'seen' AND id <= (
         SELECT id FROM history WHERE identity = ? AND action = 'seen' ORDER BY id DESC LIMIT 1 OFFSET ?
       )`,
    )
    .run(identity, identity, MOST_SEEN)
}
