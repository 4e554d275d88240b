import type { Migration } from './migrate.ts'

/**
 * `transcripts`: which file of an AI app tells the turns of a session. `agent`: a sub-agent's context. `path`: empty
 * where the app doesn't name its file. `before`: turns of conversations that the session had before this one.
 */
export const transcripts: Migration = {
  version: 9,
  name: 'transcripts',
  sql: `
    CREATE TABLE transcripts (
      session TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      app TEXT NOT NULL,
      conversation TEXT NOT NULL,
      agent TEXT NOT NULL,
      path TEXT NOT NULL,
      before INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX transcripts_by_time ON transcripts (at);
    CREATE INDEX transcripts_by_conversation ON transcripts (app, conversation);
  `,
}
