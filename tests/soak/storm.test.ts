import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ground, prepareGround } from './ground.ts';
import { storm } from './storm.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround('sqlite');
});
afterAll(() => ground.leave());

// The short form of `npm run soak -- --only storm`, always the same.
test('each of 1,500 hostile requests has an answer that can be read', {
  timeout: 240_000,
}, async () => {
  const figures = await storm(ground, { seed: 1, letters: 1500, connections: 48 });
  expect(figures.unanswered).toEqual([]);
});
