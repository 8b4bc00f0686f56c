import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { failure, json } from '../cli/command-line.ts';
import { saidBy, startWorkers, untilSaid } from '../lab/soak/workers.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));
const pidFile = `${folder}/gatehouse.pid`;
let databaseUrl = '';
beforeEach(async () => {
  databaseUrl = await createDatabase('sqlite');
  workOn(databaseUrl);
  process.env.DATA_DIR = folder;
});
const numberIn = () => Number(readFileSync(pidFile, 'utf8'));
const nothingRead = 'SIGHUP: nothing was read again';
const saysIt = (server: Server) =>
  saidBy(server).filter(({ msg }) => String(msg).startsWith(nothingRead)).length;

test('reload replaces the workers of the server in DATA_DIR, whose process id is in gatehouse.pid until it ends', async () => {
  const server = await startWorkers(databaseUrl, 2, { DATA_DIR: folder });
  expect(numberIn()).toBe(server.process.pid);
  expect(await json(['reload'])).toEqual({ process: server.process.pid });
  await untilSaid(server, 'the new workers have taken over');
  await server.stop();
  expect(existsSync(pidFile)).toBe(false);
  expect(await failure(['reload'])).toContain(`No server runs here that ${pidFile} names.`);
});

test('SIGHUP: a server with one process logs that nothing was read, and continues', async () => {
  const logFile = newLogFile('reload');
  const env = { DATA_DIR: folder, WORKERS: '1' };
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  expect(numberIn()).toBe(server.process.pid);
  await json(['reload']);
  while (saysIt(server) === 0) await once(server.process.stdout as NodeJS.EventEmitter, 'data');
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  await server.stop();
  expect(server.process.exitCode).toBe(0);
});

test.each([
  ['of a process that has ended', '2147483646'],
  ['of a process that is no server', String(process.pid)],
  ['that is no number', '-1'],
  ['of everybody', '0'],
])('reload: no process is sent a signal for a process id %s', async (_, text) => {
  writeFileSync(pidFile, text);
  expect(await failure(['reload'])).toContain('No server runs here');
});
