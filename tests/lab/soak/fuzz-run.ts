import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type DatabaseKind, databases } from '#lib/tooling/schema.ts';
import { fuzz, summaryOf } from './fuzz.ts';
import { prepareGround } from './ground.ts';

/*
 * `npm run fuzz` sends hostile requests to every address that a server answers, for five minutes on
 * each database or as long as `--minutes` says. `--seed` repeats the requests of an earlier run.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    database: { type: 'string', multiple: true, default: [...databases] },
  },
});
const kinds = databases.filter((kind) => values.database.includes(kind));
process.exitCode = kinds.length === 1 ? await fuzzOn(kinds[0] ?? 'sqlite') : fuzzEach();

/** A process works on only one database, so each kind gets its own process. */
function fuzzEach(): number {
  const { seed, minutes } = values;
  const runs = kinds.map((kind) => {
    const args = ['--database', kind, '--seed', seed, '--minutes', minutes];
    const script = fileURLToPath(import.meta.url);
    return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
  });
  return Math.max(0, ...runs);
}

async function fuzzOn(database: DatabaseKind): Promise<number> {
  const seed = Number(values.seed);
  console.log(`${database}: seed ${seed}, ${values.minutes} minutes`);
  const ground = await prepareGround(database);
  const until = Date.now() + Number(values.minutes) * 60_000;
  const figures = await fuzz(ground, { seed, until });
  const grown = figures.memory[1] - figures.memory[0];
  if (grown > 1024) figures.failures.push(`Memory grew by ${grown} MiB.`);
  if (!figures.alive) figures.failures.push('The server ended.');
  for (const failure of figures.failures.slice(0, 50)) console.log(failure);
  console.log(summaryOf(figures, database));
  await ground.leave();
  return figures.failures.length > 0 ? 1 : 0;
}
