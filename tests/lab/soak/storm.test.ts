import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureStorm, mostAfterStorm } from './after-storm.ts';
import { type Ground, prepareGround } from './ground.ts';
import { storm } from './storm.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround('sqlite');
});
afterAll(() => ground.leave());

// The short form of `npm run soak -- --only storm`, the same on every run.
test('each of 1,500 hostile requests has an answer that can be read', {
  timeout: 240_000,
}, async () => {
  const figures = await storm(ground, { seed: 1, letters: 1500, connections: 48 });
  expect(figures.unanswered).toEqual([]);
});

test('a minute after a storm a server holds less than 1.4 times of before', {
  timeout: 400_000,
}, async () => {
  const {
    use,
    before,
    storm: end,
    after,
  } = await measureStorm(ground, () => storm(ground, { seed: 1, letters: 600, connections: 64 }));
  console.info(
    `${use} MiB after ordinary use, ${before} at rest; ${end} after a storm, ${after} at rest: ${(after / before).toFixed(2)} times of before`,
  );
  expect(after / before).toBeLessThan(mostAfterStorm);
});
