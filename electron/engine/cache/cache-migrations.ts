import type { Migration } from '../ground/database/migrations/migrate.ts'

/**
 * A separate file, because it may be large and is expendable. Append only. `entries` has its body last, so that
 * reading facts doesn't read bodies. Triggers maintain `totals`, because summing ten thousand entries costs more than
 * a new entry. `generations` counts possible changes of a server; several processes may share the file.
 */
export const cacheMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'cache',
    sql: `
      CREATE TABLE entries (
        key TEXT PRIMARY KEY,
        level TEXT NOT NULL CHECK (level IN ('result', 'form')),
        server TEXT NOT NULL,
        tool TEXT NOT NULL,
        client TEXT NOT NULL,
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        used INTEGER NOT NULL,
        hits INTEGER NOT NULL DEFAULT 0,
        bytes INTEGER NOT NULL,
        facts TEXT NOT NULL,
        packing TEXT NOT NULL CHECK (packing IN ('json', 'zstd')),
        body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX entries_by_use ON entries (used, bytes);
      CREATE INDEX entries_by_expiry ON entries (expires);
      CREATE INDEX entries_by_server ON entries (server, level, tool);

      CREATE TABLE totals (entries INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
      INSERT INTO totals VALUES (0, 0);
      CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
        UPDATE totals SET entries = entries + 1, bytes = bytes + NEW.bytes;
      END;
      CREATE TRIGGER entry_gone AFTER DELETE ON entries BEGIN
        UPDATE totals SET entries = entries - 1, bytes = bytes - OLD.bytes;
      END;

      CREATE TABLE generations (server TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
]
