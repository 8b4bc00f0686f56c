import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveBack, youngGeneration } from '#lib/server/at-rest.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type Server, startServer } from '../support/server.ts';

const MiB = 1024 * 1024;

test('the young generation of the heap is small after giving back memory', () => {
  const kept: object[] = [];
  // Objects that survive a collection make the young generation grow.
  while (youngGeneration() < 8 * MiB) for (let i = 0; i < 10_000; i += 1) kept.push({ i });
  giveBack();
  expect(youngGeneration()).toBeLessThan(2 * MiB);
  expect(globalThis.gc).toBe(undefined);
});

describe('a server without requests', () => {
  let server: Server;
  const logFile = newLogFile('at-rest');
  beforeAll(async () => {
    const databaseUrl = await createDatabase('sqlite');
    // With NODE_DEBUG, Node.js reports each file that it loads.
    const env = { METRICS: 'loopback', TRUSTED_PROXIES: '', NODE_DEBUG: 'module' };
    server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  });
  afterAll(() => server.stop());

  /** Whether the server has loaded a file whose path ends like this. */
  const hasLoaded = (file: string) => readFileSync(logFile, 'utf8').includes(`${file}"`);

  test('loads what all pages need, but no page', { timeout: 120_000 }, async () => {
    const whole = 'next/dist/server/lib/render-server.js';
    await expect.poll(() => hasLoaded(whole), { timeout: 90_000 }).toBe(true);
    const page = '.next/server/app/login/page.js';
    expect(hasLoaded(page)).toBe(false);
    expect((await fetch(`${server.origin}/login`)).status).toBe(200);
    await expect.poll(() => hasLoaded(page)).toBe(true);
  });

  test('gives back the memory that it took for loading', { timeout: 120_000 }, async () => {
    const held = async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      const line = /^nodejs_heap_space_size_total_bytes\{space="new".*\} (\d+)/m.exec(text);
      return Number(line?.[1] ?? Number.NaN);
    };
    await expect.poll(held, { timeout: 90_000, interval: 2000 }).toBeLessThan(8 * MiB);
  });
});
