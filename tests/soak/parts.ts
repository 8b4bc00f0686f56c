import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';
import { workOn } from '../support/work-on.ts';
import { faults } from './faults.ts';
import { kill, killOne, killPostgres } from './kill.ts';
import type { Part } from './part.ts';
import { race } from './race.ts';
import { restore, revoke } from './revoke.ts';

/** With a PostgreSQL of its own, which can be killed without others. */
const onDurablePostgres: Part = async (ground) => {
  const postgres = await startPostgres({ durable: true });
  try {
    const databaseUrl = await postgres.createDatabase('soak');
    await applyMigrations(databaseUrl);
    workOn(databaseUrl);
    return await killPostgres(postgres)({ ...ground, databaseUrl });
  } finally {
    await postgres.stop();
  }
};

/** What can be soaked, by the names that `--only` takes. */
export const parts: Record<string, { on: readonly DatabaseKind[]; run: Part }> = {
  kill: { on: ['sqlite', 'postgresql'], run: kill },
  'kill-one': { on: ['sqlite', 'postgresql'], run: killOne },
  'kill-postgres': { on: ['postgresql'], run: onDurablePostgres },
  race: { on: ['sqlite', 'postgresql'], run: race },
  revoke: { on: ['sqlite', 'postgresql'], run: revoke },
  restore: { on: ['sqlite', 'postgresql'], run: restore },
  faults: { on: ['sqlite', 'postgresql'], run: faults },
};
