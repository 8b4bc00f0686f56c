import { writeTogether } from '#lib/store/engine/database.ts';
import { raising } from '#lib/store/engine/revision.ts';
import { disowning, type Owned, owning } from '#lib/store/file-owned.ts';

/** Marks these as managed by the configuration file, as an apply does. */
export async function keepInFile(...things: Owned[]): Promise<void> {
  const { sql, params } = raising();
  await writeTogether({ sql: `${sql} RETURNING id`, params }, things.map(owning));
}

/** Ends the management of these by the configuration file. */
export async function letGoOf(...things: Owned[]): Promise<void> {
  const { sql, params } = raising();
  await writeTogether({ sql: `${sql} RETURNING id`, params }, things.map(disowning));
}
