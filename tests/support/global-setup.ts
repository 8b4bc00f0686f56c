import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { type Postgres, startPostgres } from '#lib/tooling/postgres.ts';
import { everything } from '../lanes.ts';
import { standApart } from './apart.ts';
import { template } from './database.ts';
import { restoredDatabase } from './restored.ts';

type Ground = { folder: string; postgres: Postgres; users: number };
// Each vitest project has its own copy of this module, all in one process.
const holder = globalThis as { testGround?: Ground };

/**
 * Starts one PostgreSQL server and one folder of SQLite files for a whole test run. Every project
 * and Playwright call this.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  holder.testGround ??= await prepareGround();
  holder.testGround.users += 1;
  return leaveGround;
}

async function prepareGround(): Promise<Ground> {
  const place = placeForFiles();
  if (place === inMemory) removeWhatWasLeft();
  const folder = mkdtempSync(resolve(place, `gatehouse-tests-${process.pid}-`));
  standApart(folder);
  const postgres = await startPostgres();
  await applyMigrations(`file:${folder}/${template}.db`);
  await applyMigrations(await postgres.createDatabase(template));
  process.env.TEST_SQLITE_FOLDER = folder;
  process.env.TEST_POSTGRES = postgres.url('');
  if (process.env.TEST_RESTORED === 'on') await restoreTemplates(folder, postgres);
  return { folder, postgres, users: 0 };
}

/** On Linux, files in this folder are kept in memory. */
const inMemory = '/dev/shm';
const roomy = 6 * 2 ** 30;

/**
 * The folder of the SQLite files. No test needs them to outlive the machine, and waiting for the
 * disk at each commit takes a tenth of a run's time. So they are in memory if there is plenty of
 * it. `--all` waits for the disk, as a real server does.
 */
function placeForFiles(): string {
  if (everything || process.availableMemory() < 2 * roomy) return tmpdir();
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > roomy ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Removes what killed runs have left behind; otherwise it would use memory until the machine
 * restarts.
 */
function removeWhatWasLeft(): void {
  for (const folder of globSync(`${inMemory}/gatehouse-tests-*`)) {
    const owner = folder.split('-')[2];
    if (!existsSync(`/proc/${owner}`)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Prepares a run in which every database was restored from a backup of the other kind. */
async function restoreTemplates(folder: string, postgres: Postgres): Promise<void> {
  const sqlite = await restoredDatabase('sqlite');
  const other = await restoredDatabase('postgresql');
  copyFileSync(sqlite.slice('file:'.length), `${folder}/${template}.db`);
  const client = new pg.Client(postgres.url('postgres'));
  await client.connect();
  await client.query(`DROP DATABASE ${template}`);
  await client.end();
  await postgres.createDatabase(template, new URL(other).pathname.slice(1));
}

/** The last project to end stops PostgreSQL and removes the files. */
async function leaveGround(): Promise<void> {
  const ground = holder.testGround;
  if (!ground) return;
  ground.users -= 1;
  if (ground.users > 0) return;
  holder.testGround = undefined;
  await ground.postgres.stop();
  rmSync(ground.folder, { recursive: true, force: true });
}
