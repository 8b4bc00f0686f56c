import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { type Postgres, startPostgres } from '#lib/tooling/postgres.ts';
import { template } from './database.ts';

type Ground = { folder: string; postgres: Postgres; users: number };
// Each project of vitest has its own copy of this module, all in one process.
const holder = globalThis as { testGround?: Ground };

/** One PostgreSQL server and one folder of SQLite files for a whole run of tests; every project and Playwright call it. */
export default async function setUp(): Promise<() => Promise<void>> {
  holder.testGround ??= await prepareGround();
  holder.testGround.users += 1;
  return leaveGround;
}

async function prepareGround(): Promise<Ground> {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-tests-'));
  const postgres = await startPostgres();
  await applyMigrations(`file:${folder}/${template}.db`);
  await applyMigrations(await postgres.createDatabase(template));
  process.env.TEST_SQLITE_FOLDER = folder;
  process.env.TEST_POSTGRES = postgres.url('');
  return { folder, postgres, users: 0 };
}

/** The last project to end puts out the lights. */
async function leaveGround(): Promise<void> {
  const ground = holder.testGround;
  if (!ground) return;
  ground.users -= 1;
  if (ground.users > 0) return;
  holder.testGround = undefined;
  await ground.postgres.stop();
  rmSync(ground.folder, { recursive: true, force: true });
}
