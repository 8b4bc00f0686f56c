import { describe, expect, test } from 'vitest';
import { makeBackup } from '#lib/backup/backup.ts';
import { checkBackup } from '#lib/backup/check.ts';
import { moveDatabase } from '#lib/backup/move.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { restore } from '#lib/backup/restore.ts';
import { connect } from '#lib/tooling/connection.ts';
import { migrationNames } from '#lib/tooling/migrations.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

const now = new Date('2026-06-01T00:00:00Z');
const plainly = { passphrase: null, replace: false, endSignIns: false, dryRun: false };

describe.each(databases)('a database on %s to which a newer version has added a column', (kind) => {
  async function ahead(): Promise<string> {
    const url = await createDatabase(kind);
    await fill(url, 3);
    const { adapter } = await connect(url);
    await adapter.executeScript('ALTER TABLE users ADD COLUMN added TEXT');
    await adapter.executeScript(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99990101000000_expand_after_0_1_added', CURRENT_TIMESTAMP)",
    );
    await adapter.dispose();
    workOn(url);
    return url;
  }

  test('is backed up without that column, and the backup says so and can be restored', async () => {
    const file = newLogFile('ahead');
    expect(
      (await makeBackup({ databaseUrl: await ahead(), file, passphrase: null }, now)).lacks,
    ).toBe(true);
    expect((await checkBackup(file, null)).about.migration).toBe(migrationNames(kind).at(-1));
    const to = await createDatabase(kind);
    await restore(file, to, plainly, now);
    const users = 'SELECT count(*) FROM users';
    expect(await onSide(to, 'read', (side) => side.number(users))).toBe(3);
    expect(
      (await makeBackup({ databaseUrl: to, file: newLogFile('level'), passphrase: null }, now))
        .lacks,
    ).toBe(false);
  });

  test('is not moved by this version, neither from nor to, since the column would be lost', async () => {
    const other = await createDatabase(kind);
    const url = await ahead();
    const says = /newer version of Gatehouse has added .*Use that version/;
    await expect(moveDatabase(url, other, false)).rejects.toThrow(says);
    await expect(moveDatabase(other, url, true)).rejects.toThrow(says);
  });
});
