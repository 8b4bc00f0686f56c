import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import next from 'next';
import { config } from '#lib/config.ts';
import { database } from '#lib/store/engine/database.ts';
import { readSettings } from '#lib/store/settings.ts';
import { log } from '#lib/telemetry/log.ts';
import { allMade, madeAs } from './made.ts';
import { prisma } from './prisma.ts';

// This module is one module graph, Next's bundles are the other. The handles are made here and used
// there.
const issuer = 'http://localhost:4711';
config().issuer = issuer;
await prisma();
await readSettings();
log();
const reads = countReads();
const before = handles();

const app = next({ dev: false, dir: process.cwd() });
await app.prepare();
const answer = app.getRequestHandler();
const server = createServer((request, response) => void answer(request, response)).listen(
  0,
  '127.0.0.1',
);
await new Promise((resume) => server.once('listening', resume));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const ask = async (path: string, init?: RequestInit) => (await fetch(base + path, init)).text();
const readsDuring = async (work: Promise<unknown>) => {
  const started = reads();
  await work;
  return reads() > started;
};
const readsByRouteHandler = await readsDuring(
  ask('/oauth/me', { headers: { Authorization: 'Bearer none' } }),
);
const readsByPage = await readsDuring(ask('/'));
const issuerOnPage = (await ask('/login')).includes(new URL(issuer).host);
const after = handles();
const replaced = [...before]
  .filter(([name, value]) => after.get(name) !== value)
  .map(([name]) => name);
process.send?.({ readsByRouteHandler, readsByPage, issuerOnPage, replaced });
process.exit();

/** Every handle that exists once in this process, by name. */
function handles(): Map<string, unknown> {
  return new Map(allMade().map((name) => [name, madeAs(name)]));
}

/** Counts the calls on this process's fast database connection. */
function countReads(): () => number {
  let count = 0;
  const handle = database();
  const target = handle as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of ['all', 'get', 'read', 'query']) {
    const original = target[name];
    target[name] = (...args) => {
      count += 1;
      return original?.apply(handle, args);
    };
  }
  return () => count;
}
