import { expect, test } from 'vitest';
import { parts } from './parts.ts';
import { runPart } from './run-part.ts';

const runs = Object.entries(parts)
  // These have their own short forms.
  .filter(([name]) => !['cluster', 'fuzz', 'storm', 'workers'].includes(name))
  .flatMap(([name, { on }]) => on.map((database) => [name, database] as const));

/** Some compare a round with the one before. */
const roundsOf = (name: string) => (['anonymous', 'registrations'].includes(name) ? 2 : 1);

// `npm run soak` does the same for as long as one likes.
test.each(runs)('%s on %s', { timeout: 240_000 }, async (name, database) => {
  const { line, failures } = await runPart(name, database, (round) => round < roundsOf(name));
  console.info(line);
  expect(failures).toEqual([]);
});
