import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { applyMigrations } from '../tooling/migrate.ts';

/**
 * Writes an empty SQLite database with all tables, the same bytes each time: times and random ids
 * are taken out of the record of migrations.
 */
export async function writeEmptyDatabase(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-empty-'));
  try {
    const [draft, packed] = [join(folder, 'draft.db'), join(folder, 'packed.db')];
    await applyMigrations(`file:${draft}`);
    within(draft, (database) => {
      database.exec(
        'UPDATE _prisma_migrations SET id = migration_name, started_at = 0, finished_at = 0, logs = NULL',
      );
      database.prepare('VACUUM INTO ?').run(packed);
    });
    // The journal mode is stored in the file.
    within(packed, (database) => database.pragma('journal_mode = WAL'));
    copyFileSync(packed, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function within(file: string, work: (database: Database.Database) => void): void {
  const database = new Database(file);
  try {
    work(database);
  } finally {
    database.close();
  }
}
