import { parseArgs } from 'node:util';
import { databases } from '#lib/tooling/schema.ts';
import prepareGround from '../../support/global-setup.ts';
import { parts } from './parts.ts';
import { runPart } from './run-part.ts';

// `npm run soak`: runs the experiments one after another, each for its share of the minutes, each
// with a closing line.
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    database: { type: 'string' },
  },
});
const only = values.only?.split(',');
for (const name of only ?? [])
  if (!parts[name])
    throw new Error(`There is no part "${name}"; there are: ${Object.keys(parts).join(', ')}.`);
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');

const runs = Object.entries(parts)
  .filter(([name]) => only?.includes(name) ?? true)
  .flatMap(([name, { on }]) =>
    databases.filter((each) => on.includes(each)).map((database) => ({ name, database })),
  )
  .filter(({ database }) => (values.database ?? database) === database);
const share = (minutes * 60_000) / runs.length;
console.log(`${runs.length} parts, ${Math.round(share / 1000)} s each`);
const leave = await prepareGround();
let failed = 0;
for (const { name, database } of runs) {
  const until = Date.now() + share;
  const { line, failures } = await runPart(name, database, () => Date.now() < until);
  console.log(line);
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`);
  failed += failures.length;
}
await leave();
console.log(failed === 0 ? 'Nothing was lost.' : `${failed} failures.`);
process.exit(failed === 0 ? 0 : 1);
