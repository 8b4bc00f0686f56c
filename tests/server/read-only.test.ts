import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '#lib/tooling/stamp.mjs';
import { apart } from '../support/apart.ts';

/**
 * Runs a program in a separate mount namespace, in which this checkout is read-only even for root.
 */
const readOnly = [
  '--mount',
  'sh',
  '-c',
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" "$0" && cd / && exec "$@"',
  root,
];
const canMount = spawnSync('unshare', [...readOnly, 'true']).status === 0;
if (!canMount) console.info('No read-only checkout in this run: mounting needs root on Linux.');

const running = new Set<ChildProcess>();
afterAll(() => running.forEach((child) => void child.kill('SIGKILL')));
let data: string;
beforeEach(() => {
  data = mkdtempSync(resolve(tmpdir(), 'gatehouse-read-only-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

function start(command: string[], env: Record<string, string> = {}) {
  const child = spawn('unshare', [...readOnly, ...command], {
    env: {
      ...apart(),
      NODE_ENV: 'production',
      PORT: '0',
      STOP_DELAY: '0',
      DATA_DIR: data,
      DATABASE_URL: `file:${data}/gatehouse.db`,
      ...env,
    },
  });
  running.add(child.on('close', () => running.delete(child)));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, printed: () => text };
}

type Started = ReturnType<typeof start>;

async function addressOf({ child, printed }: Started): Promise<string> {
  const address = () => /is ready at (http:\/\/localhost:\d+)/.exec(printed())?.[1];
  const ended = once(child, 'close').then(() => Promise.reject(new Error(printed())));
  ended.catch(() => {});
  while (!address()) await Promise.race([once(child.stdout, 'data'), ended]);
  return address() ?? '';
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'close');
}

describe.runIf(canMount)('a built checkout that is read-only', () => {
  test('serves from another working directory, with secret and database in DATA_DIR and DATABASE_URL', async () => {
    const server = start([process.execPath, `${root}/lib/server.ts`]);
    const address = await addressOf(server);
    for (const path of ['/readyz', '/login', '/docs', '/gatehouse.css'])
      expect([path, (await fetch(address + path)).status]).toEqual([path, 200]);
    expect(readdirSync(data)).toContain('server-secret');
    expect(readdirSync(data)).toContain('gatehouse.db');
    const command = start([process.execPath, `${root}/lib/cli.ts`, 'user', 'list', '--json']);
    expect(await once(command.child, 'close')).toEqual([0, null]);
    await stop(server);
    expect(server.printed()).not.toMatch(/EROFS|EACCES/);
  });

  test('starts with npm start without installing or building', async () => {
    const server = start(['npm', '--prefix', root, 'start']);
    expect((await fetch(`${await addressOf(server)}/login`)).status).toBe(200);
    await stop(server);
    expect(server.printed()).not.toMatch(/EROFS|Installing|Building|Generating/);
  });

  test('refuses a DATA_DIR inside it, with a sentence that says where it can be', async () => {
    const { child, printed } = start([process.execPath, `${root}/lib/server.ts`], {
      DATA_DIR: resolve(root, 'not-there'),
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed()).toMatch(
      /^Gatehouse cannot start: .*cannot be written by \S+ \(EROFS\)\. .*DATA_DIR=\/var\/lib\/gatehouse\.\n$/,
    );
  });
});
