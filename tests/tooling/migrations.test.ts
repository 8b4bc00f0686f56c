import { expect, test } from 'vitest';
import { diffMigrations } from '#lib/tooling/diff.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createEmptyDatabase } from '../support/database.ts';

test.each(databases)('migrations on %s lead to exactly the schema', async (kind) => {
  expect(await diffMigrations(await createEmptyDatabase(kind))).toBeNull();
});
