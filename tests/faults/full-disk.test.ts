import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDatabaseFull, orAway } from '#lib/store/engine/away.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { cli } from '../cli/command-line.ts';
import { refresh } from '../support/app.ts';
import { createDatabase } from '../support/database.ts';
import { type LogLine, linesAbout } from '../support/log-lines.ts';
import { sharedEnv } from '../support/shared-env.ts';
import { setEnvironment, workOn } from '../support/work-on.ts';
import { expectRecovery, type Ground, settle, statuses } from './ground.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-full-disk-'));
const ballast = resolve(folder, 'ballast');
const before = { ...process.env };
const isMounted = mount();
let ground: Ground;

/** Mounts a disk of 48 MB, if this process may. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    console.info('No test on a full disk in this run: only root may mount one.');
    return false;
  }
}

/** Fills the remaining space, to the last byte. */
function fill(): void {
  const file = openSync(ballast, 'w');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) takeAll(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function takeAll(file: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return;
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
}

/**
 * A refresh for which the disk has no space. The log may first use up space that it already had.
 */
async function refused() {
  const { server, tokens } = ground;
  let answer = await refresh(server, tokens.refresh_token);
  while (answer.status === 200) {
    tokens.refresh_token = String(answer.body.refresh_token);
    answer = await refresh(server, tokens.refresh_token);
  }
  return answer;
}

async function doctor(of = 'write'): Promise<unknown> {
  const { databaseUrl, issuer } = ground.server;
  setEnvironment({ ...sharedEnv, DATABASE_URL: databaseUrl, ISSUER: issuer, MAIL_URL: '' });
  const { stdout } = await cli(['doctor', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
  return findings.find(({ check }) => check === of);
}

test('PostgreSQL with a full disk is distinguished from one that is away', () => {
  const full = { code: '53100', message: 'could not extend file' };
  expect(isDatabaseFull(orAway({ message: 'failed', cause: full }))).toBe(true);
  expect(isDatabaseFull(orAway({ code: '53300', message: 'too many clients' }))).toBe(false);
});

describe.skipIf(!isMounted)('a full disk under SQLite', () => {
  beforeAll(async () => {
    const made = await createDatabase('sqlite');
    const url = `file:${resolve(folder, 'gatehouse.db')}`;
    copyFileSync(made.slice('file:'.length), url.slice('file:'.length));
    workOn(url);
    ground = await settle(url);
  });
  afterAll(async () => {
    process.env = before;
    await ground?.serverProcess.stop();
    await closeStore();
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is reported by the log, /readyz and doctor but not to clients, and is over once there is space', async () => {
    fill();
    const { server } = ground;
    const answer = await refused();
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(JSON.stringify(answer.body)).not.toMatch(/disk|full/);
    const [line]: LogLine[] = await linesAbout(server, [answer.headers.get('x-request-id') ?? '']);
    expect(line).toMatchObject({
      level: 50,
      msg: 'disk full',
      reason: expect.stringContaining('The disk of the database is full'),
    });
    const ready = async () => (await fetch(`${server.base}/readyz`)).json();
    await expect
      .poll(ready, { timeout: 20_000 })
      .toMatchObject({ reason: 'The disk of the database is full.' });
    expect(await statuses(ground)).toMatchObject({ me: 200, page: 200, account: 200, alive: 200 });
    expect(await doctor()).toMatchObject({
      is: 'trouble',
      says: 'The disk of the database is full.',
      fix: expect.stringContaining('Make room'),
    });
    const backup = resolve(folder, 'gatehouse.backup');
    const { stderr } = await cli(['backup', backup]);
    expect(stderr).toContain(`There is no space left for ${backup} (ENOSPC). Free some, or name a`);
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([]);
    expect(await doctor('public-address')).toMatchObject({
      is: 'trouble',
      says: expect.stringMatching(
        /^The server at \S+ answers that it is unavailable \(status 503\)/,
      ),
      fix: expect.stringContaining('Fix the findings above first'),
    });
    rmSync(ballast);
    await expectRecovery(ground);
  });
});
