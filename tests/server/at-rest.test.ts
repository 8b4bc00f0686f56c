import { expect, test } from 'vitest';
import { giveBack, youngGeneration } from '#lib/server/at-rest.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const MiB = 1024 * 1024;

test('the young generation is small after it gave back what it had grown to', () => {
  const kept: object[] = [];
  // What outlives a collection makes it grow.
  while (youngGeneration() < 8 * MiB) for (let i = 0; i < 10_000; i += 1) kept.push({ i });
  giveBack();
  expect(youngGeneration()).toBeLessThan(2 * MiB);
  expect(globalThis.gc).toBe(undefined);
});

test('a server that nobody asks for anything gives back what its start took', {
  timeout: 120_000,
}, async () => {
  const databaseUrl = await createDatabase('sqlite');
  const logFile = newLogFile('at-rest');
  const env = { METRICS: 'loopback', TRUSTED_PROXIES: '' };
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  try {
    const held = async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      const line = /^nodejs_heap_space_size_total_bytes\{space="new".*\} (\d+)/m.exec(text);
      return Number(line?.[1] ?? Number.NaN);
    };
    await expect.poll(held, { timeout: 90_000, interval: 2000 }).toBeLessThan(8 * MiB);
  } finally {
    await server.stop();
  }
});
