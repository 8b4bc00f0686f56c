import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBackup } from '#lib/backup/backup.ts';
import { checkBackup } from '#lib/backup/check.ts';
import { sumOf } from '#lib/backup/content.ts';
import { moveDatabase } from '#lib/backup/move.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { type RestoreOptions, restore } from '#lib/backup/restore.ts';
import { backedUpTables } from '#lib/backup/tables.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

const now = new Date('2026-06-01T00:00:00Z');
const plainly: RestoreOptions = {
  passphrase: null,
  replace: false,
  endSignIns: false,
  dryRun: false,
};
const newFile = () => newLogFile('backup').replace(/log$/, 'backup');

/** A checksum of the contents of every table. */
const contentOf = (databaseUrl: string) =>
  onSide(databaseUrl, 'read', async (side) => {
    const sums: Record<string, unknown> = {};
    for (const table of backedUpTables()) sums[table.name] = await sumOf(side, table);
    return sums;
  });

/** The indexes and references of a database; on SQLite its tables as well. */
const shapeOf = (databaseUrl: string) =>
  onSide(databaseUrl, 'read', (side) =>
    side.text(
      side.kind === 'sqlite'
        ? 'SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_schema ORDER BY name)'
        : `SELECT string_agg(line, chr(10) ORDER BY line) FROM (
             SELECT pg_get_indexdef(indexrelid) AS line FROM pg_index JOIN pg_class t ON t.oid = indrelid
             WHERE t.relnamespace = current_schema()::regnamespace
             UNION ALL
             SELECT concat(conrelid::regclass, ' ', conname, ' ', pg_get_constraintdef(oid)) FROM pg_constraint
             WHERE connamespace = current_schema()::regnamespace) all_of_it`,
    ),
  );

const count = (databaseUrl: string, sql: string) =>
  onSide(databaseUrl, 'read', (side) => side.number(sql));

describe.each(databases)('a backup of %s', (kind) => {
  let from = '';
  let file = '';
  beforeAll(async () => {
    from = await createDatabase(kind);
    await fill(from, 600);
    workOn(from);
    file = newFile();
    await makeBackup({ databaseUrl: from, file, passphrase: null }, now);
  });

  test('has every table of the database, and is complete', async () => {
    const { about, sums } = await checkBackup(file, null);
    expect(about).toMatchObject({ database: kind, at: now.toISOString() });
    expect(sums.users?.rows).toBe(600);
    expect(Object.keys(sums).toSorted()).toEqual(
      backedUpTables()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test('that is aborted leaves no file behind', async () => {
    const stopped = newFile();
    const stop = AbortSignal.abort(new Error('somebody else makes it'));
    await expect(
      makeBackup({ databaseUrl: from, file: stopped, passphrase: null, stop }, now),
    ).rejects.toThrow('somebody else');
    const name = basename(stopped);
    expect(readdirSync(dirname(stopped)).filter((each) => each.startsWith(name))).toEqual([]);
  });

  test('contains nothing that is readable without the secret', async () => {
    const bytes = readFileSync(file).toString('latin1');
    for (const word of ['users', 'k000001', 'migration']) expect(bytes).not.toContain(word);
  });

  test.each(databases)('is restored into %s with identical content', async (other) => {
    const to = await createDatabase(other);
    workOn(from);
    const { sums } = await restore(file, to, plainly, now);
    expect(await contentOf(to)).toEqual(sums);
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  test.each(databases)('is not needed to move the database to %s', async (other) => {
    const to = await createDatabase(other);
    const sums = await moveDatabase(from, to, false);
    expect(await contentOf(to)).toEqual(sums);
    await expect(moveDatabase(from, to, false)).rejects.toThrow('not empty: it has 600 users');
  });

  test.each(databases)('restored into %s keeps its indexes and foreign keys', async (other) => {
    const to = await createDatabase(other);
    const before = await shapeOf(to);
    expect(before).toContain('users_username_key_key');
    await restore(file, to, plainly, now);
    expect(await shapeOf(to)).toBe(before);
  });

  test('restored or moved to PostgreSQL has table statistics immediately', async () => {
    const counted = "SELECT reltuples FROM pg_class WHERE relname = 'users'";
    const restored = await createDatabase('postgresql');
    await restore(file, restored, plainly, now);
    const moved = await createDatabase('postgresql');
    await moveDatabase(from, moved, false);
    expect([await count(restored, counted), await count(moved, counted)]).toEqual([600, 600]);
  });

  test('that is truncated or changed anywhere is refused, and nothing is restored', async () => {
    const to = await createDatabase(kind);
    const bytes = readFileSync(file);
    const cuts = [0, 10, 100, 250, Math.floor(bytes.length / 2), bytes.length - 1];
    for (const at of cuts) {
      const cut = newFile();
      writeFileSync(cut, bytes.subarray(0, at));
      await expect(restore(cut, to, plainly, now), `cut at ${at}`).rejects.toThrow(/backup/);
      const changed = newFile();
      writeFileSync(changed, bytes.with(at, (bytes[at] ?? 0) ^ 1));
      await expect(restore(changed, to, plainly, now), `changed at ${at}`).rejects.toThrow(
        /backup/,
      );
    }
    expect(await count(to, 'SELECT count(*) FROM users')).toBe(0);
  });

  test('replaces existing users and apps only with --replace', async () => {
    const to = await createDatabase(kind);
    await fill(to, 7);
    const before = await contentOf(to);
    await expect(restore(file, to, plainly, now)).rejects.toThrow('it has 7 users and 7 apps');
    await restore(file, to, { ...plainly, replace: true, dryRun: true }, now);
    expect(await contentOf(to)).toEqual(before);
    const { replaced } = await restore(file, to, { ...plainly, replace: true }, now);
    expect(replaced).toEqual({ users: 7, clients: 7 });
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  test('when restored reports revived sessions and tokens, and ends sign-ins if asked', async () => {
    const early = new Date('2026-01-02T00:00:00Z');
    const to = await createDatabase(kind);
    const { revived } = await restore(file, to, plainly, early);
    expect(revived?.sessions).toBeGreaterThan(500);
    const ended = await restore(file, to, { ...plainly, replace: true, endSignIns: true }, early);
    const { apiKeys, registrationTokens } = ended.revived ?? {};
    expect(ended.revived).toMatchObject({ sessions: 0, authorizations: 0 });
    expect([apiKeys, registrationTokens]).toEqual([599, 599]);
    expect(await count(to, 'SELECT count(*) FROM device_authorizations')).toBe(0);
  });

  test('when restored changes the revision of the database, so that caches are invalid', async () => {
    const to = await createDatabase(kind);
    const before = await count(to, 'SELECT value FROM revision');
    await restore(file, to, plainly, now);
    expect(await count(to, 'SELECT value FROM revision')).not.toBe(before);
  });
});

test.each(databases)(
  'a row with a reference to a missing row is not moved to %s',
  async (other) => {
    const broken = await createDatabase('sqlite');
    await fill(broken, 7);
    await onSide(broken, 'replace', async (side) => {
      await side.run('DELETE FROM users WHERE id = (SELECT min(id) FROM users)');
      await side.commit();
    });
    const to = await createDatabase(other);
    await expect(moveDatabase(broken, to, false)).rejects.toThrow(/refers? to/);
    expect(await count(to, 'SELECT count(*) FROM users')).toBe(0);
  },
);

test('a backup with a passphrase opens only with it, and contains the server secret', async () => {
  const from = await createDatabase('sqlite');
  workOn(from);
  const withPassphrase = newFile();
  await makeBackup(
    { databaseUrl: from, file: withPassphrase, passphrase: 'correct horse battery' },
    now,
  );
  await expect(checkBackup(withPassphrase, null)).rejects.toThrow(
    'If it was made with a passphrase',
  );
  await expect(checkBackup(withPassphrase, 'another passphrase')).rejects.toThrow(
    'this passphrase',
  );
  expect((await checkBackup(withPassphrase, 'correct horse battery')).about.secrets).toHaveLength(
    1,
  );
});

describe('a backup with another server’s secret', () => {
  let file = '';
  const secret = process.env.SERVER_SECRET;
  beforeAll(async () => {
    const from = await createDatabase('sqlite');
    workOn(from);
    file = newFile();
    await makeBackup({ databaseUrl: from, file, passphrase: 'correct horse battery' }, now);
  });
  afterAll(() => {
    if (secret === undefined) delete process.env.SERVER_SECRET;
    else process.env.SERVER_SECRET = secret;
  });

  test('is refused before anything is changed', async () => {
    const to = await createDatabase('sqlite');
    workOn(to);
    process.env.SERVER_SECRET = 'the secret of another server, long enough';
    const options = { ...plainly, passphrase: 'correct horse battery' };
    await expect(restore(file, to, options, now)).rejects.toThrow('--secret-to FILE');
  });
});
