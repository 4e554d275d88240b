import type { Database } from '../ground/database/database.ts'

/** Per server, for mere sightings. */
const MOST_SEEN = 500

/** So that a changing server can't fill the disk; decisions stay. */
export function forgetOldSeen(database: Database, identity: string): void {
  database
    .prepare(
      `DELETE FROM history WHERE identity = ? AND action = 'seen' AND id <= (
         SELECT id FROM history WHERE identity = ? AND action = 'seen' ORDER BY id DESC LIMIT 1 OFFSET ?
       )`,
    )
    .run(identity, identity, MOST_SEEN)
}
