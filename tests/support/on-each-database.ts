import { afterAll, beforeAll, describe } from 'vitest';
import { closeStore } from '#lib/store/database.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase } from './database.ts';

/** Runs the same tests against a fresh SQLite and a fresh PostgreSQL database, one after the other in this process. */
export function onEachDatabase(tests: () => void): void {
  for (const database of databases) onDatabase(database, tests);
}

/** Runs tests against a fresh database of one kind. */
export function onDatabase(database: (typeof databases)[number], tests: () => void): void {
  describe(`on ${database}`, () => {
    beforeAll(async () => {
      const databaseUrl = await createDatabase(database);
      // In one go: a late timer of the tests before would make everything anew for the old database.
      forgetProcess();
      Object.assign(process.env, {
        DATABASE_URL: databaseUrl,
        SERVER_SECRET: 's'.repeat(32),
        BCRYPT_COST: '4',
      });
    });
    afterAll(closeStore);
    tests();
  });
}

/** What a process makes once (configuration, connections, caches) it makes again for the next database. */
function forgetProcess(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith('gatehouse.')) Reflect.deleteProperty(globalThis, symbol);
  }
}
