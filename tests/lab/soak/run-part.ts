import { closeStore } from '#lib/store/engine/database.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';
import { createDatabase } from '../../support/database.ts';
import { workOn } from '../../support/work-on.ts';
import { parts } from './parts.ts';

type Ran = { line: string; failures: string[] };

/**
 * Runs a part on a new database. Returns its closing line and everything that may never happen but
 * did.
 */
export async function runPart(
  name: string,
  database: DatabaseKind,
  goesOn: (round: number) => boolean,
): Promise<Ran> {
  const part = parts[name];
  if (!part) throw new Error(`There is no part "${name}".`);
  const databaseUrl = await createDatabase(database);
  process.env.LOG_LEVEL = 'silent';
  workOn(databaseUrl);
  const before = performance.now();
  const { figures, failures } = await part
    .run({ databaseUrl, goesOn: (round) => round === 0 || goesOn(round) })
    .catch((error: unknown) => ({ figures: {}, failures: [String(error)] }));
  await closeStore().catch(() => {});
  const said = Object.entries(figures).map(
    ([key, value]) => `${value} ${key.replaceAll('_', ' ')}`,
  );
  const seconds = Math.round((performance.now() - before) / 1000);
  const line = `${name} ${database}: ${[...said, `${failures.length} failures`].join(', ')} (${seconds} s)`;
  return { line, failures };
}
