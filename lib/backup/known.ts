import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import type { Side } from './side.ts';

/** What is not in a backup that an older version makes of a database beside a newer one. */
export const whatLacks = 'what a newer version of Gatehouse has added to the database';

/**
 * The last migration of a database that this version knows; whether a newer version beside it has
 * added more since, which is not seen from here; and whether it lacks what this version would add.
 * @returns null where there are no tables
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
