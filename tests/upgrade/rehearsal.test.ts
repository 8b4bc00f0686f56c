import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { cli, inOwnProcess } from '../cli/command-line.ts';
import { beginChains, type Chain } from '../lab/soak/load.ts';
import { startSoakServer } from '../lab/soak/part.ts';
import { createDatabase, newFolder } from '../support/database.ts';
import { sharedEnv } from '../support/shared-env.ts';
import { endWork, workOn } from '../support/work-on.ts';
import { makeNext } from './next-version.ts';
import { rowsOf } from './rows.ts';

const adds = () => 'ALTER TABLE "users" ADD COLUMN "made_up" TEXT;';

describe.each(databases)('doctor --rehearse on %s', { timeout: 240_000 }, (kind) => {
  let databaseUrl = '';
  let chains: Chain[] = [];
  const dataDir = newFolder('rehearsal');
  beforeAll(async () => {
    databaseUrl = await createDatabase(kind);
    workOn(databaseUrl);
    process.env.DATA_DIR = dataDir;
    const server = await startSoakServer(databaseUrl);
    chains = await beginChains(server, 2);
    for (const chain of chains) await chain.code(server);
    // Otherwise it would meanwhile write its pending counts.
    await server.serverProcess.stop();
  });
  afterAll(async () => {
    delete process.env.DATA_DIR;
    await endWork();
  });

  type Told = {
    code: number | null;
    status: string;
    findings: { check: string; is: string; says: string }[];
    differences: { attempt: string; clientId: string; now: string; upgraded: string }[];
  };

  /** Rehearses, and checks that nothing is changed or left behind. */
  async function rehearse(folder: string): Promise<Told> {
    const before = await rowsOf(databaseUrl);
    const { code, stdout, stderr } = await cli(['doctor', '--rehearse', folder, '--json']);
    expect(stderr).toBe('');
    const after = await rowsOf(databaseUrl);
    expect(after).toEqual(before);
    expect(copies()).toEqual([]);
    expect(await scratchDatabases()).toEqual([]);
    return { code, ...JSON.parse(stdout) };
  }

  const copies = () => readdirSync(dataDir).filter((name) => name.startsWith('rehearsal-'));

  async function scratchDatabases(): Promise<unknown[]> {
    if (kind === 'sqlite') return [];
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const { rows } = await client.query(
      "SELECT datname FROM pg_database WHERE datname LIKE 'gatehouse_rehearsal_%'",
    );
    await client.end();
    return rows;
  }

  test('finds no difference in a version that only adds something', async () => {
    const told = await rehearse(makeNext('expand', adds).folder);
    expect(told).toMatchObject({ code: 0, status: 'fine', differences: [] });
    expect(told.findings.map(({ check, is }) => [check, is])).toEqual([
      ['rehearsal-copy', 'fine'],
      ['rehearsal-migrations', 'fine'],
      ['rehearsal-answers', 'fine'],
    ]);
    expect(told.findings[1]?.says).toMatch(
      /^Version 0\.2\.0 can serve beside this one; 1 changes of the tables took \d+ ms/,
    );
    expect(told.findings[2]?.says).toBe(
      '4 requests of the last day were answered again: all as they are now.',
    );
  });

  test('reports for each app and attempt what another version would answer differently', async () => {
    const next = makeNext('expand', adds, {
      file: 'lib/oauth/pkce.ts',
      from: "client.type === 'public' ||",
      to: "client.type === 'confidential' ||",
    });
    const told = await rehearse(next.folder);
    expect(told).toMatchObject({ code: 1, status: 'warning' });
    expect(told.differences).toHaveLength(4);
    expect(new Set(told.differences.map(({ clientId }) => clientId))).toEqual(
      new Set(chains.map(({ client }) => client.id)),
    );
    expect(told.differences[0]).toMatchObject({
      now: 'given a code',
      upgraded: 'code_challenge is required for this client (PKCE, S256).',
    });
    const says = told.findings.map((one) => one.says).join('\n');
    expect(says).toContain('4 would be answered otherwise by 0.2.0');
    expect(says).toMatch(/2 attempts such as \S+: now given a code; with 0\.2\.0: code_challenge/);
  });

  test('says that servers must be stopped for a version that removes something, or why it cannot migrate', async () => {
    const takes = () =>
      'ALTER TABLE "users" ADD COLUMN "x" TEXT; ALTER TABLE "users" DROP COLUMN "x";';
    const told = await rehearse(makeNext('contract', takes).folder);
    expect(told).toMatchObject({ code: 1, differences: [] });
    expect(told.findings[1]).toMatchObject({ check: 'rehearsal-migrations', is: 'warning' });
    expect(told.findings[1]?.says).toContain('cannot serve beside this one');
    const broken = await rehearse(makeNext('expand', () => 'DROP TABLE "nowhere";').folder);
    expect(broken).toMatchObject({ code: 2, status: 'trouble' });
    expect(broken.findings[1]?.says).toMatch(/cannot work on a copy: .*nowhere/);
  });

  test('finds the database through DATABASE_URL_FILE in .env, which the other version reads as well', async () => {
    const settings = newFolder('settings');
    const file = resolve(settings, 'database-url');
    writeFileSync(file, databaseUrl);
    writeFileSync(resolve(settings, '.env'), `DATABASE_URL_FILE=${file}\n`);
    const { DATABASE_URL: _, ...others }: NodeJS.ProcessEnv = { ...process.env, ...sharedEnv };
    const env = { ...others, SETTINGS_DIR: settings, DATA_DIR: dataDir };
    const args = ['doctor', '--rehearse', process.cwd(), '--json'];
    const { code, stdout, stderr } = await inOwnProcess(args, '', env);
    expect([code, stderr]).toEqual([0, '']);
    expect((JSON.parse(stdout) as Told).findings.map(({ is }) => is)).toEqual(
      Array.from({ length: 3 }, () => 'fine'),
    );
  });

  test('deletes its copy when it is interrupted', async () => {
    const args = ['lib/cli.ts', 'doctor', '--rehearse', process.cwd()];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...sharedEnv, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    });
    const isThere = async () =>
      copies().length > 0 && (kind === 'sqlite' || (await scratchDatabases()).length > 0);
    await expect.poll(isThere, { timeout: 60_000, interval: 20 }).toBe(true);
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    expect(copies()).toEqual([]);
    expect(await scratchDatabases()).toEqual([]);
  });

  test('refuses --answer-again on a database that is not a copy', async () => {
    const before = await rowsOf(databaseUrl);
    const { code, stderr } = await cli(['doctor', '--answer-again', new Date(0).toISOString()]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was changed')]);
    expect(await rowsOf(databaseUrl)).toEqual(before);
  });

  test('refuses a folder without Gatehouse', async () => {
    const { code, stderr } = await cli(['doctor', '--rehearse', dataDir]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`no Gatehouse in ${dataDir}`)]);
  });
});
