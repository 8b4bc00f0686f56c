import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lendsConnections } from '#lib/store/engine/pooler.ts';
import { openPostgres } from '#lib/store/engine/postgres.ts';
import { applyMigrations } from '#lib/tooling/migrate.ts';
import { startPostgres } from '#lib/tooling/postgres.ts';
import { cli } from '../cli/command-line.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { havePgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { havePgpool, startPgpool } from '../support/pgpool.ts';
import { startServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';

const canRun = await havePgbouncer();
const databaseUrl = await createDatabase('postgresql');
const started: Pgbouncer[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function behind(...lines: string[]): Promise<string> {
  const pooler = await startPgbouncer(databaseUrl, lines);
  started.push(pooler);
  return pooler.url;
}

/** Looks several times, because a single look can be lucky. */
async function looks(url: string): Promise<boolean[]> {
  const found: boolean[] = [];
  for (let turn = 0; turn < 20; turn += 1) found.push(await lendsConnections(url));
  return [...new Set(found)];
}

/** Meanwhile other programs use the pool. */
async function busied<T>(url: string, programs: number, work: () => Promise<T>): Promise<T> {
  let over = false;
  const clients = Array.from({ length: programs }, () => new pg.Client(url));
  const busy = clients.map(async (client) => {
    await client.connect();
    while (!over) await client.query('SELECT pg_sleep(random() * 0.003)');
    await client.end();
  });
  return work().finally(async () => {
    over = true;
    await Promise.all(busy);
  });
}

test('a direct connection to PostgreSQL is not mistaken for a pooled one', async () => {
  expect(await looks(databaseUrl)).toEqual([false]);
  expect(await busied(databaseUrl, 5, () => looks(databaseUrl))).toEqual([false]);
});

describe.skipIf(!canRun)('PostgreSQL behind PgBouncer', () => {
  const pools = [
    ['one server connection', 'default_pool_size = 1'],
    ['two server connections', 'default_pool_size = 2'],
    ['twenty server connections', 'default_pool_size = 20'],
  ] as const;
  for (const [name, size] of pools) {
    for (const mode of ['transaction', 'statement'])
      test(`${mode} mode is detected with ${name}, idle and busy, last or next in turn`, async () => {
        for (const turns of ['server_round_robin = 0', 'server_round_robin = 1']) {
          const url = await behind(`pool_mode = ${mode}`, size, turns);
          expect(await looks(url)).toEqual([true]);
          expect(await busied(url, 4, () => looks(url))).toEqual([true]);
          expect(await looks(url)).toEqual([true]);
        }
      });
  }

  test('session mode is accepted', async () => {
    const url = await behind('pool_mode = session', 'default_pool_size = 20');
    expect(await looks(url)).toEqual([false]);
    expect(await busied(url, 4, () => looks(url))).toEqual([false]);
  });

  test('session mode is accepted with one server connection, where the second has to wait', async () => {
    const url = await behind('pool_mode = session', 'default_pool_size = 1');
    expect(await lendsConnections(url)).toBe(false);
  });

  const start = (url: string) =>
    startServer({ mount: 'direct', databaseUrl: url, logFile: newLogFile('pooler') });

  test('statement mode is refused at the start, since it has no transactions', async () => {
    await expect(start(await behind('pool_mode = statement'))).rejects.toThrow(/transaction/);
  });

  test('a server starts behind session mode', async () => {
    const server = await start(await behind('pool_mode = session'));
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await server.stop();
  });

  test('transaction mode: many writes and reads at the same time share connections correctly', async () => {
    const url = await behind('pool_mode = transaction', 'default_pool_size = 3');
    const pools = [1, 2, 3].map(() => openPostgres(url, 8, limits));
    const name = `pooled-${Date.now()}`;
    const insert =
      'INSERT INTO leases (name, holder, expires_at) VALUES (:name, :holder, :at) RETURNING name';
    const turns = Array.from({ length: 300 }, (_, turn) => turn);
    await busied(url, 4, () =>
      Promise.all(
        turns.map(async (turn) => {
          const pool = pools[turn % 3] as (typeof pools)[0];
          const holder = `holder ${turn}`;
          const own = { name: `${name} ${turn}`, holder, at: new Date(0) };
          const then = { sql: 'UPDATE leases SET holder = :holder WHERE name = :name' };
          const params = { holder: `${holder}, again`, name: own.name };
          await pool.transact({ sql: insert, params: own }, [{ ...then, params }]);
          const select = 'SELECT holder FROM leases WHERE name = :name';
          expect(await pool.read(select, { name: own.name })).toEqual([
            { holder: `${holder}, again` },
          ]);
        }),
      ),
    );
    for (const pool of pools) await pool.close();
  });

  test('transaction mode: no setting is left on a connection, and a transaction has its timeouts', async () => {
    const url = await behind('pool_mode = transaction', 'default_pool_size = 1');
    const pool = openPostgres(url, 2, { lock: 300, statement: 2000 });
    const ask = "SELECT current_setting('lock_timeout') AS of";
    const within = await pool.holding(async (run) => ({ keep: true, value: await run(ask, []) }));
    expect(within).toEqual([{ of: '300ms' }]);
    expect(await pool.read(ask, [])).toEqual([{ of: '0' }]);
    const other = new pg.Client(databaseUrl);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE leases');
    const statement = { sql: "DELETE FROM leases WHERE name = 'x' RETURNING name", params: [] };
    await expect(pool.transact(statement, [])).rejects.toThrow(/lock timeout|away/i);
    await other.end();
    await pool.close();
  });

  // As docs/postgresql.md says.
  test('doctor reports timeouts that the database user lacks in transaction mode, and is content with them', async () => {
    const find = async (url: string) => {
      const before = { ...process.env };
      Object.assign(process.env, sharedEnv, { DATABASE_URL: url, MAIL_URL: '' });
      const { stdout } = await cli(['doctor', '--json']).finally(() => {
        process.env = before;
      });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; is: string }[] };
      return findings.find(({ check }) => check === 'pooler');
    };
    expect(await find(await behind('pool_mode = session'))).toMatchObject({ is: 'fine' });
    expect(await find(await behind('pool_mode = transaction'))).toMatchObject({
      is: 'warning',
      says: expect.stringContaining('no lock_timeout and no statement_timeout'),
      fix: expect.stringContaining('ALTER ROLE CURRENT_USER SET lock_timeout = 4000'),
    });
    const owner = new pg.Client(databaseUrl);
    await owner.connect();
    // Only for this database, because other tests use the same user.
    const { pathname } = new URL(databaseUrl);
    for (const limit of ['lock_timeout = 4000', 'statement_timeout = 15000'])
      await owner.query(`ALTER DATABASE "${pathname.slice(1)}" SET ${limit}`);
    await owner.end();
    expect(await find(await behind('pool_mode = transaction'))).toMatchObject({ is: 'fine' });
  });
});

describe.skipIf(!(await havePgpool()))('PostgreSQL behind Pgpool-II', () => {
  let [primary, standby]: Awaited<ReturnType<typeof startPostgres>>[] = [];
  let urls: string[] = [];
  beforeAll(async () => {
    primary = await startPostgres();
    const url = await primary.createDatabase('pooled');
    await applyMigrations(url);
    standby = await startPostgres({ standbyOf: url });
    urls = [url, standby.url('pooled')];
  }, 180_000);
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  });

  const through = async <T>(settings: string[], work: (url: string) => Promise<T>): Promise<T> => {
    const pgpool = await startPgpool(urls, settings);
    return work(pgpool.url).finally(pgpool.stop);
  };
  const started = async (url: string) => {
    const options = { mount: 'direct', databaseUrl: url, logFile: newLogFile('pgpool') } as const;
    const server = await startServer(options);
    const { status } = await fetch(`${server.origin}/readyz`);
    await server.stop();
    return status;
  };

  test('a connection is not taken for a shared one, and a server works on the primary alone', async () => {
    await through(['load_balance_mode = off'], async (url) => {
      expect(await looks(url)).toEqual([false]);
      expect(await started(url)).toBe(200);
      const pool = openPostgres(url, 4, limits);
      for (let turn = 0; turn < 20; turn += 1)
        expect(
          await pool.read('SELECT value FROM revision WHERE id = :id', { id: 1 }),
        ).toHaveLength(1);
      await pool.close();
    });
  });

  for (const level of ['off', 'on'])
    test(`reads balanced to a standby are refused, statement_level_load_balance = ${level}`, async () => {
      // The primary reads nothing, or every other statement.
      const settings = [
        'load_balance_mode = on',
        `statement_level_load_balance = ${level}`,
        `backend_weight0 = ${level === 'on' ? 1 : 0}`,
      ];
      await through(settings, async (url) => {
        const readers = Array.from({ length: 8 }, () => openPostgres(url, 1, limits));
        const sql = "SELECT current_setting('in_hot_standby') AS is FROM revision WHERE id = :id";
        const read = await Promise.all(
          readers.map((pool) => pool.read(sql, { id: 1 }).catch((error) => [error.cause ?? error])),
        );
        // It is random which connection pgpool pairs with which server. So each read is either
        // refused or made at the primary.
        const refused = read.flat().filter((one) => one instanceof Error);
        expect(read.flat().filter((one) => !(one instanceof Error))).toEqual(
          Array.from({ length: 8 - refused.length }, () => ({ is: 'off' })),
        );
        expect(refused.length).toBeGreaterThan(0);
        for (const error of refused) expect(error.message).toContain('load_balance_mode = off');
        for (const pool of readers) await pool.close();
      });
    });
});

const limits = { lock: 4000, statement: 15_000 };
