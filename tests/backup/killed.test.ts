import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkBackup } from '#lib/backup/check.ts';
import { onSide } from '#lib/backup/open-side.ts';
import { backedUpTables } from '#lib/backup/tables.ts';
import { databases } from '#lib/tooling/schema.ts';
import { folder, json } from '../cli/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { fill } from './filled.ts';

/** How often each command is killed; KILLS=50 kills more often. */
const kills = Number(process.env.KILLS ?? 2);
const timeout = 60_000 + kills * 20_000;
/** The number of rows in each table: of the file, and of the target beforehand. */
const [whole, before] = [900, 5];
const root = resolve(import.meta.dirname, '../..');

/** Runs a command and kills it after some milliseconds. Returns whether it was already done. */
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

/**
 * Times within the duration that the command takes when it is not killed, and shortly after it,
 * because what is left then matters too.
 */
async function moments(args: string[]): Promise<number[]> {
  const begun = performance.now();
  await json(args);
  const whole = performance.now() - begun;
  return Array.from({ length: kills }, (_, at) => whole * (0.4 + (0.75 * (at + 1)) / (kills + 1)));
}

/** How many rows every table has: one number, or several if it was left between two states. */
const rowsIn = (databaseUrl: string) =>
  onSide(databaseUrl, 'read', async (side) => {
    const counts = new Set<number>();
    for (const { name } of backedUpTables())
      counts.add(await side.number(`SELECT count(*) FROM "${name}"`));
    expect(await side.violations()).toBe(0);
    return counts.size === 1 ? [...counts][0] : [...counts];
  });

/**
 * Kills a command that replaces a database at each of these times, and checks what is there
 * afterwards.
 */
async function killedReplacing(to: string, args: string[]): Promise<string> {
  const found = { done: 0, 'killed after the commit': 0, 'killed before it': 0 };
  for (const after of await moments(args)) {
    await fill(to, before);
    const done = await killed(args, after);
    const rows = await rowsIn(to);
    expect(done ? [whole] : [before, whole]).toContain(rows);
    const end = rows === whole ? 'killed after the commit' : 'killed before it';
    found[done ? 'done' : end] += 1;
  }
  return `${args[0]}: ${JSON.stringify(found)}`;
}

/** Prints figures if many kills were asked for. */
const say = (line: string) => kills > 2 && process.stdout.write(`${line}\n`);

describe.each(databases)('backup commands that are killed on %s', (kind) => {
  let from = '';
  beforeAll(async () => {
    from = await createDatabase(kind);
    await fill(from, whole);
  });

  test('a killed backup leaves a complete file or none', { timeout }, async () => {
    workOn(from);
    const name = (at: number) => `${folder}/${kind}-${at}.backup`;
    let there = 0;
    for (const [at, after] of (await moments(['backup', name(-1)])).entries()) {
      const done = await killed(['backup', name(at)], after);
      if (!existsSync(name(at))) expect(done).toBe(false);
      else {
        there += 1;
        const { sums } = await checkBackup(name(at), null);
        expect(new Set(Object.values(sums).map(({ rows }) => rows))).toEqual(new Set([whole]));
      }
      rmSync(name(at), { force: true });
    }
    say(`${kind}: backup: ${there} of ${kills} whole, the others not there`);
  });

  test('a killed restore or move has happened completely or not at all', {
    timeout: 2 * timeout,
  }, async () => {
    workOn(from);
    const file = `${folder}/${kind}-whole.backup`;
    await json(['backup', file]);
    const to = await createDatabase(kind);
    workOn(to);
    say(`${kind}: ${await killedReplacing(to, ['restore', file, '--replace'])}`);
    workOn(from);
    say(`${kind}: ${await killedReplacing(to, ['move', '--to', to, '--replace'])}`);
    expect(await rowsIn(from)).toBe(whole);
    rmSync(file);
  });
});
