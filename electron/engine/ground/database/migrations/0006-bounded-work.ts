import type { Migration } from './migrate.ts'

/**
 * Avoids full scans when storing a result, dropping old ones and starting. `result_totals`: bytes of all originals,
 * each file once, by triggers. `large_tools`: a tool's last result over its threshold.
 */
export const boundedWork: Migration = {
  version: 6,
  name: 'bounded work',
  sql: `
    CREATE INDEX results_kept_by_age ON results (created, id DESC) WHERE removed IS NULL;
    CREATE INDEX results_kept_by_end ON results (expires) WHERE removed IS NULL;
    CREATE INDEX results_by_removal ON results (removed) WHERE removed IS NOT NULL;
    DROP INDEX results_by_age;

    CREATE TABLE result_totals (bytes INTEGER NOT NULL) STRICT;
    INSERT INTO result_totals SELECT coalesce(sum(bytes), 0) FROM
      (SELECT max(stored_size) AS bytes FROM results WHERE removed IS NULL GROUP BY +sha256);
    CREATE TRIGGER result_kept AFTER INSERT ON results WHEN NEW.removed IS NULL
      AND NOT EXISTS (SELECT 1 FROM results WHERE sha256 = NEW.sha256 AND removed IS NULL AND id <> NEW.id) BEGIN
      UPDATE result_totals SET bytes = bytes + NEW.stored_size;
    END;
    CREATE TRIGGER result_dropped AFTER UPDATE OF removed, stored_size ON results WHEN OLD.removed IS NULL
      AND NOT EXISTS (SELECT 1 FROM results WHERE sha256 = OLD.sha256 AND removed IS NULL AND id <> OLD.id) BEGIN
      UPDATE result_totals SET bytes = max(0, bytes - OLD.stored_size);
    END;
    CREATE TRIGGER result_kept_again AFTER UPDATE OF removed, stored_size ON results WHEN NEW.removed IS NULL
      AND NOT EXISTS (SELECT 1 FROM results WHERE sha256 = NEW.sha256 AND removed IS NULL AND id <> NEW.id) BEGIN
      UPDATE result_totals SET bytes = bytes + NEW.stored_size;
    END;
    CREATE TRIGGER result_deleted AFTER DELETE ON results WHEN OLD.removed IS NULL
      AND NOT EXISTS (SELECT 1 FROM results WHERE sha256 = OLD.sha256 AND removed IS NULL) BEGIN
      UPDATE result_totals SET bytes = max(0, bytes - OLD.stored_size);
    END;

    CREATE TABLE large_tools (
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      last INTEGER NOT NULL,
      PRIMARY KEY (server, tool)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO large_tools
      SELECT server, tool, max(at) FROM calls INDEXED BY calls_by_result WHERE result_id IS NOT NULL GROUP BY server, tool;
    CREATE TRIGGER large_result AFTER INSERT ON calls WHEN NEW.result_id IS NOT NULL BEGIN
      INSERT INTO large_tools VALUES (NEW.server, NEW.tool, NEW.at)
        ON CONFLICT (server, tool) DO UPDATE SET last = max(last, excluded.last);
    END;
  `,
}
