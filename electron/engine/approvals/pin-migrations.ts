import type { Migration } from '../ground/database/migrations/migrate.ts'
import { takeSecretsOut } from './pin-secrets-migration.ts'

/** Separate, because a damaged ledger is reset but lost pins must block. Append only. */
export const pinMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'pins',
    sql: `
      CREATE TABLE servers (
        identity TEXT PRIMARY KEY,
        server_id TEXT NOT NULL,
        launch TEXT NOT NULL,
        first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE pins (
        identity TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        definition TEXT NOT NULL,
        at INTEGER NOT NULL,
        approved_by TEXT NOT NULL,
        PRIMARY KEY (identity, kind, name)
      ) STRICT;
      CREATE TABLE pending (
        identity TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        change TEXT NOT NULL CHECK (change IN ('new', 'changed', 'removed')),
        hash TEXT NOT NULL,
        definition TEXT NOT NULL,
        at INTEGER NOT NULL,
        denied_at INTEGER,
        PRIMARY KEY (identity, kind, name)
      ) STRICT;
      CREATE TABLE history (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        identity TEXT NOT NULL,
        server_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        action TEXT NOT NULL CHECK (action IN ('seen', 'approved', 'denied', 'trusted at first sight', 'removed')),
        done_by TEXT NOT NULL,
        before TEXT,
        after TEXT
      ) STRICT;
      -- Counts decisions, so that every process notices at once that one was made.
      CREATE TABLE decisions (count INTEGER NOT NULL) STRICT;
      INSERT INTO decisions VALUES (0);
      CREATE INDEX history_by_identity ON history (identity, id);
    `,
  },
  {
    version: 2,
    name: 'sightings',
    sql: `
      -- What a server was told that its client can do (viewOf), and what it then offered last.
      CREATE TABLE views (
        identity TEXT NOT NULL,
        view TEXT NOT NULL,
        first_seen INTEGER NOT NULL,
        PRIMARY KEY (identity, view)
      ) STRICT;
      CREATE TABLE sightings (
        identity TEXT NOT NULL,
        view TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (identity, view, kind, name)
      ) STRICT;
      -- Nobody knows to which clients these were offered: they are gone when somebody who was offered them is not any more.
      INSERT INTO sightings SELECT identity, '', kind, name, hash FROM pins;
    `,
  },
  {
    version: 3,
    name: 'no secrets of launches',
    sql: '',
    run: takeSecretsOut,
    isRewritten: true,
  },
  {
    version: 4,
    // `pw`, `creds`, `dbPass`: unknown names before.
    name: 'no secrets of launches by more names',
    sql: '',
    run: takeSecretsOut,
    isRewritten: true,
  },
  {
    version: 5,
    name: 'several wordings of a thing',
    sql: `
      -- Hashes under which a thing is approved. A row without a definition is the same wording word for word, where marks
      -- stand for folders or times in the definition; "wording" is the hash of the one with marks.
      CREATE TABLE wordings (
        identity TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        wording TEXT NOT NULL,
        definition TEXT NOT NULL,
        at INTEGER NOT NULL,
        approved_by TEXT NOT NULL,
        PRIMARY KEY (identity, kind, name, hash)
      ) STRICT;
      INSERT INTO wordings SELECT identity, kind, name, hash, hash, definition, at, approved_by FROM pins
        WHERE kind != 'server';
      ALTER TABLE pending ADD COLUMN literal TEXT;
    `,
  },
  {
    version: 6,
    name: 'count of decisions',
    sql: `
      -- What there was after the last decision (record-tally.ts). A migration that takes rows away counts anew.
      CREATE TABLE tally (
        record TEXT NOT NULL,
        count INTEGER NOT NULL,
        pins INTEGER NOT NULL,
        wordings INTEGER NOT NULL,
        denials INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX denials ON pending (identity) WHERE denied_at IS NOT NULL;
      INSERT INTO tally SELECT lower(hex(randomblob(16))), 0, (SELECT count(*) FROM pins), (SELECT count(*) FROM wordings),
        (SELECT count(*) FROM pending WHERE denied_at IS NOT NULL);
    `,
  },
  {
    version: 7,
    name: 'hashes without definitions',
    sql: `
      -- Each check reads the hashes of all that is pinned or waits, and of few things the definition.
      CREATE INDEX pins_lightly ON pins (identity, kind, name, hash);
      CREATE INDEX pending_lightly ON pending (identity, kind, name, hash, change, at, denied_at, literal);
    `,
  },
  {
    version: 8,
    name: 'variables of launches',
    sql: `
      -- Launches that were approved when values of variables were not pinned (PinStore.takeVariables).
      CREATE TABLE launches_without_variables (identity TEXT PRIMARY KEY) STRICT;
      INSERT INTO launches_without_variables SELECT identity FROM pins WHERE kind = 'server';
    `,
  },
]
