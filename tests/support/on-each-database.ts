import { afterAll, beforeAll, describe, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { forChange } from '../lanes.ts';
import { createDatabase } from './database.ts';
import { endWork, workOn } from './work-on.ts';

/**
 * Runs the same tests on a new SQLite and a new PostgreSQL database, one after the other in this
 * process.
 */
export function onEachDatabase(tests: () => void): void {
  for (const database of databases) onDatabase(database, tests);
}

/**
 * For tests whose statements are all covered on both databases by other tests: a run for a change
 * runs them only on SQLite.
 */
export function onOneForChange(tests: () => void): void {
  for (const database of forChange ? (['sqlite'] as const) : databases) onDatabase(database, tests);
}

/** Runs tests on a new database of one kind. */
export function onDatabase(database: (typeof databases)[number], tests: () => void): void {
  describe(`on ${database}`, () => {
    beforeAll(async () => {
      workOn(await createDatabase(database));
    });
    afterAll(endWork);
    tests();
  });
}

/**
 * `test` for what does not depend on the kind of database: a run for a change runs it only on
 * SQLite.
 */
export const alikeOn = (database: (typeof databases)[number]) =>
  isLeftOut(database) ? test.skip : test;

/** `describe` for the same. */
export const allAlikeOn = (database: (typeof databases)[number]) =>
  isLeftOut(database) ? describe.skip : describe;

const isLeftOut = (database: (typeof databases)[number]) => forChange && database === 'postgresql';
