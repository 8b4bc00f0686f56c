import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { Rounds } from '#lib/jobs.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { takeLease } from '#lib/store/engine/leases.ts';
import { connect } from '#lib/tooling/connection.ts';
import { onEachDatabase } from './support/on-each-database.ts';
import { newUser } from './support/seed.ts';
import { setEnvironment } from './support/work-on.ts';

const now = new Date();
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const namesIn = async (sql: string) => (await read(sql, {})).map(({ name }) => name);

/**
 * Keeps one expired row from being deleted, by a reference that another program has added to the
 * database.
 */
async function holdExpiredRow(): Promise<void> {
  const { adapter } = await connect(process.env.DATABASE_URL ?? '');
  await adapter.executeScript(
    'CREATE TABLE holds (hash TEXT NOT NULL REFERENCES spent_values (hash))',
  );
  await adapter.dispose();
  await write('INSERT INTO spent_values (hash, expires_at) VALUES (:hash, :at)', {
    hash: 'held',
    at: after(-60),
  });
  await write('INSERT INTO holds (hash) VALUES (:hash)', { hash: 'held' });
}

onEachDatabase(() => {
  beforeAll(holdExpiredRow);

  test('a cleaning rule whose rows cannot be deleted does not stop the other rules', async () => {
    await takeLease('old', 'somebody', 1000, after(-40 * 24 * 3600));
    await expect(deleteExpired(now)).rejects.toThrow(/^1 of \d+ steps failed$/);
    expect(await namesIn("SELECT name FROM leases WHERE name = 'old'")).toEqual([]);
    expect(await namesIn('SELECT hash AS name FROM spent_values')).toEqual(['held']);
  });

  test('a cleaning step that fails stops neither other steps nor a backup, and a backup stops nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rounds-'));
    setEnvironment({ BACKUP_DIR: folder });
    onTestFinished(() => {
      setEnvironment({ BACKUP_DIR: '' });
      rmSync(folder, { recursive: true });
    });
    const { id } = await newUser();
    await write('UPDATE users SET deletion_at = :at WHERE id = :id', { at: after(-1), id });
    const rounds = new Rounds('one');
    await rounds.work(now);
    expect(readdirSync(folder)).toEqual([]);
    await rounds.rest();
    expect(await read('SELECT id FROM users WHERE id = :id', { id })).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('a process whose cleaning fails leaves it to another one, and resumes it if there is none', async () => {
    const start = 3600;
    const [failing, other] = [new Rounds('failing'), new Rounds('other')];
    const holder = async () =>
      (await namesIn("SELECT holder AS name FROM leases WHERE name = 'cleaning'"))[0];
    for (const at of [0, 15, 30, 45, 60]) await failing.work(after(start + at));
    expect(await holder()).toBe('failing');
    await other.work(after(start + 61));
    expect(await holder()).toBe('other');
    await failing.work(after(start + 90));
    expect(await holder()).toBe('other');
    await failing.work(after(start + 122));
    expect(await holder()).toBe('failing');
  });

  test('cleaning goes on after the clock was set back by hours', async () => {
    const rounds = new Rounds('one');
    const start = 24 * 3600;
    await rounds.work(after(start));
    await takeLease('old', 'somebody', 1000, after(-40 * 24 * 3600));
    await rounds.work(after(start - 2 * 3600));
    expect(await namesIn("SELECT name FROM leases WHERE name = 'old'")).toEqual([]);
  });

  test('a process whose cleaning succeeds keeps it', async () => {
    await write('DELETE FROM holds', {});
    const start = 7200;
    const [one, two] = [new Rounds('one'), new Rounds('two')];
    for (const at of [0, 15, 30, 45, 60]) await one.work(after(start + at));
    await two.work(after(start + 75));
    expect(await namesIn("SELECT holder AS name FROM leases WHERE name = 'cleaning'")).toEqual([
      'one',
    ]);
  });
});
