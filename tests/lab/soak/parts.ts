import { randomInt } from 'node:crypto';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import type { DatabaseKind } from '#lib/tooling/schema.ts';
import { workOn } from '../../support/work-on.ts';
import { measureStorm, mostAfterStorm } from './after-storm.ts';
import { anonymous } from './anonymous.ts';
import { clusterWith } from './cluster/cluster.ts';
import { faults } from './faults.ts';
import { fuzz } from './fuzz.ts';
import { prepareGround } from './ground.ts';
import { kill, killOne, killPostgres } from './kill.ts';
import { ldap } from './ldap.ts';
import type { Part } from './part.ts';
import { race } from './race.ts';
import { registrations } from './registrations.ts';
import { restore, revoke } from './revoke.ts';
import { roll, stop } from './stopping.ts';
import { storm } from './storm.ts';
import { workers } from './workers.ts';

/** Runs on its own PostgreSQL server, which can be killed without affecting others. */
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

/** Hostile requests, each round with its own seed. The short form is `fuzz.test.ts`. */
const fuzzing: Part = async ({ databaseUrl, goesOn }) => {
  const ground = await prepareGround(databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql');
  const figures = { requests: 0, memory_mib: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const seed = randomInt(2 ** 31);
    const found = await fuzz(ground, { seed, requests: 1000 });
    figures.requests += found.requests;
    figures.memory_mib = found.memory[1];
    failures.push(...found.failures.map((failure) => `seed ${seed}: ${failure}`));
    if (!found.alive) failures.push(`seed ${seed}: the server ended`);
  }
  await ground.leave();
  return { figures, failures };
};

/**
 * Overload, then requests of all kinds in all manners, each round with its own seed. Afterwards the
 * server has to release the memory that it does not need. The short form is `storm.test.ts`.
 */
const storming: Part = async ({ databaseUrl, goesOn }) => {
  const ground = await prepareGround(databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql');
  const figures = { requests: 0, MiB_before: 0, MiB_in_the_storm: 0, MiB_a_minute_after: 0 };
  const failures: string[] = [];
  const hostile = async () => {
    for (let round = 0; goesOn(round); round += 1) {
      const seed = randomInt(2 ** 31);
      const found = await storm(ground, { seed, letters: 1000, connections: 64 });
      figures.requests += found.letters;
      failures.push(...found.unanswered.map((failure) => `seed ${seed}: ${failure}`));
    }
  };
  const { before, storm: at, after } = await measureStorm(ground, hostile);
  Object.assign(figures, { MiB_before: before, MiB_in_the_storm: at, MiB_a_minute_after: after });
  if (after / before >= mostAfterStorm)
    failures.push(
      `a minute after the storm it holds ${(after / before).toFixed(2)} times of before`,
    );
  await ground.leave();
  return { figures, failures };
};

/** All parts of the soak, by the names that `--only` takes. */
export const parts: Record<string, { on: readonly DatabaseKind[]; run: Part }> = {
  kill: { on: ['sqlite', 'postgresql'], run: kill },
  'kill-one': { on: ['sqlite', 'postgresql'], run: killOne },
  'kill-postgres': { on: ['postgresql'], run: onDurablePostgres },
  race: { on: ['sqlite', 'postgresql'], run: race },
  revoke: { on: ['sqlite', 'postgresql'], run: revoke },
  restore: { on: ['sqlite', 'postgresql'], run: restore },
  faults: { on: ['sqlite', 'postgresql'], run: faults },
  fuzz: { on: ['sqlite', 'postgresql'], run: fuzzing },
  storm: { on: ['sqlite', 'postgresql'], run: storming },
  ldap: { on: ['sqlite', 'postgresql'], run: ldap },
  stop: { on: ['sqlite', 'postgresql'], run: stop },
  anonymous: { on: ['sqlite', 'postgresql'], run: anonymous },
  registrations: { on: ['sqlite', 'postgresql'], run: registrations },
  roll: { on: ['sqlite', 'postgresql'], run: roll },
  workers: { on: ['sqlite', 'postgresql'], run: workers },
  cluster: { on: ['postgresql'], run: clusterWith({ rate: 1000, patience: 1 }) },
};
