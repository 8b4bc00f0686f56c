import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { diffMigrations } from '#lib/setup/diff.ts';
import { applyMigrations } from '#lib/setup/migrate.ts';
import { migrationNames } from '#lib/setup/migrations.ts';
import { databases } from '#lib/setup/schema.ts';
import { createEmptyDatabase } from '../support/database.ts';

describe.each(databases)('migrations on %s', (kind) => {
  test('lead to exactly the schema', async () => {
    expect(await diffMigrations(await createEmptyDatabase(kind))).toBeNull();
  });

  test('are applied once, however many processes start at the same moment', async () => {
    const url = await createEmptyDatabase(kind);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrateInProcess(url)));
    expect(applied.flat()).toEqual(migrationNames(kind));
    expect(await applyMigrations(url)).toEqual([]);
  });
});

async function migrateInProcess(url: string): Promise<string[]> {
  const child = fork(new URL('../support/migrate-once.ts', import.meta.url), [url]);
  const [[applied], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  expect(code).toBe(0);
  return applied as string[];
}
