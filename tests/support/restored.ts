import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { makeBackup } from '#lib/backup/backup.ts';
import { checkBackup } from '#lib/backup/check.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { restore } from '#lib/backup/restore.ts';
import { applyMigrations, applyMigrationsUpTo } from '#lib/tooling/migrate.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';
import { createEmptyDatabase, newLogFile } from './database.ts';
import { workOn } from './work-on.ts';

/** Databases of earlier versions, one folder for each: see tests/upgrade/make.ts. */
export const leftDatabases = resolve(import.meta.dirname, '../upgrade/fixtures');

/**
 * Fills an empty database with the data of another version: its SQLite file, or its PostgreSQL
 * backup.
 */
export async function putIn(
  databaseUrl: string,
  folder: string,
  kind: DatabaseKind,
): Promise<void> {
  if (kind === 'sqlite') {
    const file = gunzipSync(readFileSync(`${folder}/sqlite.db.gz`));
    return writeFileSync(databaseUrl.slice('file:'.length), file);
  }
  const backup = `${folder}/postgresql.backup`;
  const { about } = await checkBackup(backup, null);
  await applyMigrationsUpTo(databaseUrl, about.migration);
  await restore(backup, databaseUrl, intoEmpty, new Date());
}

const intoEmpty = { passphrase: null, replace: false, endSignIns: false, dryRun: false };

/**
 * A database of this kind, restored from a backup of the other kind that held people, apps and
 * sign-ins. Its settings are the defaults. It is made in a separate process, because a process
 * works on only one database at a time.
 */
export async function restoredDatabase(kind: DatabaseKind): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, kind]);
  return stdout.trim();
}

async function makeRestored(kind: DatabaseKind): Promise<string> {
  const file = await livelyBackup(kind === 'sqlite' ? 'postgresql' : 'sqlite');
  const target = await createEmptyDatabase(kind);
  await applyMigrations(target);
  await restore(file, target, intoEmpty, new Date());
  return target;
}

async function livelyBackup(kind: DatabaseKind): Promise<string> {
  const source = await createEmptyDatabase(kind);
  workOn(source);
  const newest = readdirSync(leftDatabases).sort().at(-1) ?? '';
  await putIn(source, `${leftDatabases}/${newest}`, kind);
  await applyMigrations(source);
  await onSide(source, 'replace', async (side) => {
    await side.run('DELETE FROM settings');
    await side.commit();
  });
  const file = newLogFile('lively').replace(/log$/, 'backup');
  await makeBackup({ databaseUrl: source, file, passphrase: null }, new Date());
  return file;
}

if (import.meta.main) process.stdout.write(await makeRestored(process.argv[2] as DatabaseKind));
