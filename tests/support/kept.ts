import { writeTogether } from '#lib/store/engine/database.ts';
import { raising } from '#lib/store/engine/revision.ts';
import { disowning, type Owned, owning } from '#lib/store/file-owned.ts';

/** Lets the configuration file keep these, as an apply does. */
export async function keepInFile(...things: Owned[]): Promise<void> {
  const { sql, params } = raising();
  await writeTogether({ sql: `${sql} RETURNING id`, params }, things.map(owning));
}

/** Lets the file keep these no more. */
export async function letGoOf(...things: Owned[]): Promise<void> {
  const { sql, params } = raising();
  await writeTogether({ sql: `${sql} RETURNING id`, params }, things.map(disowning));
}
