import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { prepareGround } from './ground.ts';

// The short form of `npm run fuzz`, the same on every run.
test('hostile requests to everything end in an answer, and none in a failure', {
  timeout: 300_000,
}, async () => {
  const ground = await prepareGround('sqlite');
  const figures = await fuzz(ground, { seed: 20, requests: 1500 });
  await ground.leave();
  expect(figures.failures).toEqual([]);
  expect(figures.alive).toBe(true);
  expect(figures.paths).toBeGreaterThan(100);
  expect(figures.forms).toBeGreaterThan(40);
  expect(figures.memory[1] - figures.memory[0]).toBeLessThan(500);
});
