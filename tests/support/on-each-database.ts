import { afterAll, beforeAll, describe, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { forChange } from '../lanes.ts';
import { createDatabase } from './database.ts';
import { endWork, workOn } from './work-on.ts';

/** Runs the same tests against a fresh SQLite and a fresh PostgreSQL database, one after the other in this process. */
export function onEachDatabase(tests: () => void): void {
  for (const database of databases) onDatabase(database, tests);
}

/** For tests whose every statement other tests run on both databases: a change runs them on SQLite alone. */
export function onOneForChange(tests: () => void): void {
  for (const database of forChange ? (['sqlite'] as const) : databases) onDatabase(database, tests);
}

/** Runs tests against a fresh database of one kind. */
export function onDatabase(database: (typeof databases)[number], tests: () => void): void {
  describe(`on ${database}`, () => {
    beforeAll(async () => {
      workOn(await createDatabase(database));
    });
    afterAll(endWork);
    tests();
  });
}

/** `test` for what asks nothing of a database that differs from one to the other: a change runs it on SQLite alone. */
export const alikeOn = (database: (typeof databases)[number]) =>
  isLeftOut(database) ? test.skip : test;

/** `describe` for the same. */
export const allAlikeOn = (database: (typeof databases)[number]) =>
  isLeftOut(database) ? describe.skip : describe;

const isLeftOut = (database: (typeof databases)[number]) => forChange && database === 'postgresql';
