import { afterEach, expect, test } from 'vitest';
import { connectionsAllowed } from '#lib/store/engine/connection-count.ts';
import { write } from '#lib/store/engine/database.ts';
import { openPostgres } from '#lib/store/engine/postgres.ts';
import { cli } from '../cli/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { sharedEnv } from '../support/shared-env.ts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

test('DATABASE_POOL_SIZE limits the connections to PostgreSQL, even with more requests at the same time', async () => {
  const pool = openPostgres(await createDatabase('postgresql'), 3, {
    lock: 4000,
    statement: 15_000,
  });
  const busy = Array.from({ length: 20 }, () => pool.read('SELECT pg_sleep(0.05)', []));
  await Promise.all(busy);
  const sql = `SELECT count(*) AS open FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'`;
  expect(await pool.read(sql, [])).toEqual([{ open: 3 }]);
  await pool.close();
});

onDatabase('postgresql', () => {
  test('doctor compares the connections of all workers during a reload with the limit of PostgreSQL', async () => {
    const find = async (env: Record<string, string>) => {
      const databaseUrl = process.env.DATABASE_URL;
      Object.assign(process.env, sharedEnv, { DATABASE_URL: databaseUrl, MAIL_URL: '' }, env);
      const { stdout } = await cli(['doctor', '--json']);
      const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
      return findings.find(({ check }) => check === 'database-connections');
    };
    const allowed = await connectionsAllowed();
    const url = process.env.DATABASE_URL;
    expect(allowed).toBeGreaterThan(100);
    expect(await find({ WORKERS: '2', DATABASE_POOL_SIZE: '6' })).toMatchObject({
      is: 'fine',
      says: expect.stringMatching(
        new RegExp(`up to 21 connections \\(3 x 7, with .* reload .*${allowed} in all`),
      ),
    });
    const name = new URL(url ?? '').pathname.slice(1);
    await write(`ALTER DATABASE "${name}" CONNECTION LIMIT 20`, []);
    expect(await find({ WORKERS: '2', DATABASE_POOL_SIZE: '6' })).toMatchObject({
      is: 'warning',
      says: expect.stringContaining('20 in all'),
      fix: expect.stringContaining('DATABASE_POOL_SIZE'),
    });
    // A single process is never reloaded.
    expect(await find({ WORKERS: '1', DATABASE_POOL_SIZE: '19' })).toMatchObject({
      is: 'fine',
      says: expect.stringContaining('up to 20 connections (1 x 20),'),
    });
  });
});
