import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkBackup } from '#lib/backup/check.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { databases } from '#lib/tooling/schema.ts';
import { folder, json } from '../cli/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

/** How often each command is killed; more by KILLS=50. */
const kills = Number(process.env.KILLS ?? 2);
const root = resolve(import.meta.dirname, '../..');

/** Runs a command and kills it after some milliseconds; whether it was done by then. */
function killed(args: string[], after: number): Promise<boolean> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [resolve(root, 'lib/cli.ts'), ...args], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), after);
    child.on('close', (code) => {
      clearTimeout(timer);
      settle(code === 0);
    });
  });
}

/** Moments within the time that a command took when nobody killed it, the later half of it more often. */
async function moments(args: string[]): Promise<number[]> {
  const begun = performance.now();
  await json(args);
  const whole = performance.now() - begun;
  return Array.from({ length: kills }, (_, at) => whole * (0.3 + (0.7 * (at + 1)) / (kills + 1)));
}

const usersIn = (databaseUrl: string) =>
  onSide(databaseUrl, 'read', (side) => side.number('SELECT count(*) FROM users'));

describe.each(databases)('killed on %s', (kind) => {
  let from = '';
  beforeAll(async () => {
    from = await createDatabase(kind);
    await fill(from, 900);
  });

  test('a backup is whole or not there', async () => {
    workOn(from);
    const name = (at: number) => `${folder}/${kind}-${at}.backup`;
    for (const [at, after] of (await moments(['backup', name(-1)])).entries()) {
      const done = await killed(['backup', name(at)], after);
      if (existsSync(name(at)))
        expect((await checkBackup(name(at), null)).sums.users?.rows).toBe(900);
      else expect(done).toBe(false);
    }
  });

  test('a restore and a move have happened or not', async () => {
    workOn(from);
    const file = `${folder}/${kind}-whole.backup`;
    await json(['backup', file]);
    const to = await createDatabase(kind);
    workOn(to);
    for (const after of await moments(['restore', file, '--replace'])) {
      await fill(to, 5);
      const done = await killed(['restore', file, '--replace'], after);
      expect(done ? [900] : [5, 900]).toContain(await usersIn(to));
    }
    workOn(from);
    for (const after of await moments(['move', '--to', to, '--replace'])) {
      await fill(to, 5);
      const done = await killed(['move', '--to', to, '--replace'], after);
      expect(done ? [900] : [5, 900]).toContain(await usersIn(to));
    }
    expect(await usersIn(from)).toBe(900);
  });
});
