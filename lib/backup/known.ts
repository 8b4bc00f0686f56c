import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import type { Side } from './side.ts';

/** What a backup of an older version lacks of a database shared with a newer one. */
export const whatLacks = 'what a newer version of Gatehouse has added to the database';

/**
 * Finds the last migration of a database that this version knows; whether a newer version beside it
 * has added more since, which this version cannot see; and whether the database lacks migrations of
 * this version.
 * @returns null if there are no tables
 */
export function knownOf({ kind, migration }: Pick<Side, 'kind' | 'migration'>): {
  migration: string;
  isAhead: boolean;
  isBehind: boolean;
} | null {
  if (migration === null) return null;
  const folder = resolve(/* turbopackIgnore: true */ projectRoot, 'prisma/migrations', kind);
  const last = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .at(-1);
  const isAhead = last !== undefined && migration > last;
  const isBehind = last !== undefined && migration < last;
  return { migration: isAhead ? last : migration, isAhead, isBehind };
}
