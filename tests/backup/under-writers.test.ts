import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeBackup } from '#lib/backup/backup.ts';
import { checkBackup } from '#lib/backup/check.ts';
import { restore } from '#lib/backup/restore.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

const now = new Date('2026-06-01T00:00:00Z');

test('a restore and a transaction in a deadlock both succeed in the end (PostgreSQL)', async () => {
  const url = await createDatabase('postgresql');
  await fill(url, 2);
  workOn(url);
  const file = newLogFile('deadlock');
  await makeBackup({ databaseUrl: url, file, passphrase: null }, now);
  const { sums } = await checkBackup(file, null);
  const [first = '', last = ''] = [Object.keys(sums)[0], Object.keys(sums).at(-1)];
  const [writer, watcher] = [new pg.Client(url), new pg.Client(url)];
  for (const client of [writer, watcher]) await client.connect();
  onTestFinished(async () => void (await Promise.all([writer.end(), watcher.end()])));
  // So that PostgreSQL ends the restore instead of this transaction.
  await writer.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'`);
  await writer.query(`LOCK TABLE "${last}" IN ROW EXCLUSIVE MODE`);
  const options = { passphrase: null, replace: true, endSignIns: false, dryRun: false };
  const patient = new URL(url);
  // PostgreSQL checks for a deadlock only once, after waiting this long.
  patient.searchParams.set('options', '-c deadlock_timeout=4s');
  const restored = restore(file, patient.href, options, now);
  await vi.waitFor(async () => {
    const waiting = await watcher.query(
      'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
      [last],
    );
    expect(waiting.rowCount).toBe(1);
  });
  await writer.query(`SELECT 1 FROM "${first}"`);
  await writer.query('COMMIT');
  expect((await restored).sums).toEqual(sums);
});
