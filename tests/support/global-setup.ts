import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { applyMigrations } from '#lib/setup/migrate.ts';
import { startPostgres } from '#lib/setup/postgres.ts';
import { template } from './database.ts';

/** One PostgreSQL server and one folder of SQLite files for a whole run of tests; vitest and Playwright both call it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-tests-'));
  const postgres = await startPostgres();
  await applyMigrations(`file:${folder}/${template}.db`);
  await applyMigrations(await postgres.createDatabase(template));
  process.env.TEST_SQLITE_FOLDER = folder;
  process.env.TEST_POSTGRES = postgres.url('');
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
