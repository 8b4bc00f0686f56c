import { expect, test } from 'vitest';
import { diffMigrations } from '#lib/tooling/diff.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createEmptyDatabase } from '../support/database.ts';

test.each(databases)('the migrations on %s lead to exactly the Prisma schema', async (kind) => {
  expect(await diffMigrations(await createEmptyDatabase(kind))).toBeNull();
});
