import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { databases } from '#lib/tooling/schema.ts';
import { fuzz, summaryOf } from './fuzz.ts';
import { prepareGround } from './ground.ts';

/*
 * Hostile requests to everything that a server answers: `npm run fuzz`, five minutes on each
 * database unless `--minutes` says otherwise. `--seed` sends the requests of an earlier run again.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    database: { type: 'string', multiple: true, default: [...databases] },
  },
});
let failures = 0;
for (const database of databases.filter((kind) => values.database.includes(kind))) {
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
  failures += figures.failures.length;
  await ground.leave();
}
process.exitCode = failures > 0 ? 1 : 0;
