import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatehouseVersion } from '#lib/config.ts';
import { connect } from '#lib/tooling/connection.ts';
import { applyMigrations, pendingMigrations } from '#lib/tooling/migrate.ts';
import { nameFor } from '#lib/tooling/migration-name.ts';
import { migrationNames, migrationsRoot } from '#lib/tooling/migrations.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { sharedEnv } from '../support/shared-env.ts';

describe.each(databases)('migrations on %s', (kind) => {
  test('are applied once, however many processes start at the same time', async () => {
    const url = await createEmptyDatabase(kind);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrateInProcess(url)));
    expect(applied.flat()).toEqual(migrationNames(kind));
    expect(await applyMigrations(url)).toEqual([]);
  });

  test('that fail leave nothing behind and say why', async () => {
    const url = await createDatabase(kind);
    const broken = withMigration(
      "CREATE TABLE half (note TEXT DEFAULT ';'); CREATE TABLE users (id INTEGER);",
    );
    await expect(applyMigrations(url, broken)).rejects.toThrow(/users.* already exists/);
    await expect(applyMigrations(url, broken)).rejects.toThrow(/users.* already exists/);
    expect(await applyMigrations(url, withMigration('CREATE TABLE half (id INTEGER);'))).toEqual([
      added,
    ]);
  });

  test('mark usernames that break later rules, and keep every row', async () => {
    const url = await createEmptyDatabase(kind);
    await applyMigrations(url, without('_names_and_passwords_of_people'));
    const fine = ['ada', 'jane.doe-2_x', 'deadbeef'];
    const doubtful = ['ada@example.org', 'https://evil.example', 'müller', 'www.evil.example'];
    doubtful.push('192.0.2.7', '0'.repeat(31).concat('a'));
    const { adapter } = await connect(url);
    const rows = [...fine, ...doubtful].map(
      (name, i) =>
        `INSERT INTO users (id, username, username_key, email, email_key, created_at, updated_at)
         VALUES ('${i}', '${name}', '${name}', '${i}@example.org', '${i}@example.org', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);`,
    );
    await adapter.executeScript(rows.join(''));
    await applyMigrations(url);
    const marked = await adapter.queryRaw({
      sql: 'SELECT username FROM users WHERE username_unfit = TRUE ORDER BY id',
      args: [],
      argTypes: [],
    });
    await adapter.dispose();
    expect(marked.rows.flat()).toEqual(doubtful);
  });
});

describe.each(databases)('a newer database on %s', (kind) => {
  const newer = async (name: string) => {
    const url = await createDatabase(kind);
    await applyMigrations(url, withMigration('CREATE TABLE newer (id INTEGER);', name));
    return url;
  };
  const version = gatehouseVersion();
  const next = nameFor('added', 'expand', version, new Date('9999-01-01'));
  const contract = nameFor('taken', 'contract', version, new Date('9999-01-01'));
  const beyond = nameFor('added', 'expand', '77.0.0', new Date('9999-01-02'));

  test('to which the next release has only added is accepted', async () => {
    const url = await newer(next);
    expect(await applyMigrations(url)).toEqual([]);
    expect(await pendingMigrations(url)).toEqual([]);
  });

  test.each([
    ['that does not say what it does', added, 'changes or removes what this version uses'],
    ['that says that it takes away', contract, 'changes or removes what this version uses'],
    ['of a later release', beyond, 'of a release that is not the one after 0.1'],
  ])('with a migration %s is refused with a sentence that names it', async (_, name, why) => {
    await expect(applyMigrations(await newer(name))).rejects.toThrow(
      new RegExp(
        `used by a newer version of Gatehouse .*${name}.*${why}.*Start that version again`,
      ),
    );
  });

  test.each(['lib/cli.ts', 'lib/server.ts'])('makes %s end with one sentence', async (program) => {
    const env = { ...process.env, ...sharedEnv, DATABASE_URL: await newer(added), PORT: '0' };
    const child = spawn(process.execPath, [program, 'settings', 'list'], { env });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(said).toMatch(/^[^\n]*used by a newer version of Gatehouse[^\n]*\n$/);
  });
});

describe.each(databases)('migrations while a server runs on %s', (kind) => {
  const version = gatehouseVersion();
  const name = nameFor('added', 'expand', version, new Date('9999-01-01'));
  const adds = 'ALTER TABLE users ADD COLUMN added TEXT;';
  const takes = 'ALTER TABLE users DROP COLUMN added;';
  const beside = (url: string, sql: string, as = name) =>
    applyMigrations(url, withMigration(sql, as), 'certain');

  test('that only add something are applied', async () => {
    const url = await createDatabase(kind);
    expect(await beside(url, adds)).toEqual([name]);
  });

  test.each([
    ['takes away, whatever its name says', takes, name, 'it does "DROP COLUMN ADDED" to "users"'],
    ['says that it takes away', adds, name.replace('expand', 'contract'), 'does not say that it'],
    ['does not say what it does', adds, added, 'does not say that it only adds'],
    [
      'two releases old',
      adds,
      nameFor('added', 'expand', '77.0.0', new Date('9999-01-01')),
      `older than the release before ${version}`,
    ],
  ])('are refused if one %s', async (_, sql, as, why) => {
    const url = await createDatabase(kind);
    await expect(beside(url, sql, as)).rejects.toThrow(
      new RegExp(`every other process to be stopped \\(${as}: .*${why}.*Nothing was changed`),
    );
    expect(await pendingMigrations(url)).toEqual([]);
  });

  test('are refused at a start if they remove something and the database names a running server', async () => {
    const url = await createDatabase(kind);
    const { adapter } = await connect(url);
    const lease = (seconds: number) => {
      const at = new Date(Date.now() + seconds * 1000);
      const until = kind === 'sqlite' ? at.getTime() : `'${at.toISOString()}'`;
      return adapter.executeScript(
        `DELETE FROM leases; INSERT INTO leases (name, holder, expires_at) VALUES ('server:1', 'process 7 of attic', ${until})`,
      );
    };
    await lease(60);
    await expect(applyMigrations(url, withMigration(takes, name))).rejects.toThrow(
      'A server runs on this database: process 7 of attic. Nothing was changed. Stop every server first',
    );
    expect(await applyMigrations(url, withMigration(adds, name))).toEqual([name]);
    await lease(-1);
    const later = nameFor('taken', 'contract', version, new Date('9999-01-02'));
    expect(await applyMigrations(url, withMigration(takes, later, [name, adds]))).toEqual([later]);
    await adapter.dispose();
  });
});

test('on PostgreSQL a migration that waits for a table lock does not block others for long, and succeeds', async () => {
  const url = await createDatabase('postgresql');
  const [reader, other] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([reader.connect(), other.connect()]);
  await reader.query('BEGIN; SELECT count(*) FROM users');
  const name = nameFor('added', 'expand', gatehouseVersion(), new Date('9999-01-01'));
  const sql = 'ALTER TABLE users ADD COLUMN added TEXT;';
  const applied = applyMigrations(url, withMigration(sql, name), 'certain');
  const waiting = `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
    WHERE c.relname = 'users' AND NOT l.granted AND l.mode = 'AccessExclusiveLock'`;
  const isWaiting = async () => (await other.query<{ n: number }>(waiting)).rows[0]?.n === 1;
  await expect.poll(isWaiting, { timeout: 20_000, interval: 10 }).toBe(true);
  // This read queues behind the migration, which gives way before the blocking transaction ends.
  await other.query("SET statement_timeout = '10s'");
  await other.query('SELECT count(*) FROM users');
  await reader.query('COMMIT');
  expect(await applied).toEqual([name]);
  await Promise.all([reader.end(), other.end()]);
});

describe.each(databases)('a table on %s that cannot be read', (kind) => {
  /** A database whose list of migrations, or of servers, cannot be read. */
  async function without(table: string, column: string): Promise<string> {
    const url = await createDatabase(kind);
    const { adapter } = await connect(url);
    await adapter.executeScript(`ALTER TABLE ${table} RENAME COLUMN ${column} TO other`);
    await adapter.dispose();
    return url;
  }

  test('is not taken for a database without migrations', async () => {
    const url = await without('_prisma_migrations', 'finished_at');
    await expect(pendingMigrations(url)).rejects.toThrow(/column/i);
    await expect(applyMigrations(url)).rejects.toThrow(/cannot be used: .*column/i);
  });

  test('is not taken for a database without running servers', async () => {
    const url = await without('leases', 'holder');
    const name = nameFor('taken', 'contract', gatehouseVersion(), new Date('9999-01-01'));
    const folder = withMigration('DROP TABLE traces;', name);
    await expect(applyMigrations(url, folder)).rejects.toThrow(/cannot be used: .*column/i);
    expect(await applyMigrations(url)).toEqual([]);
  });
});

test('migrations: an unreachable PostgreSQL is reported as such, also while servers run', async () => {
  const away = applyMigrations('postgresql://nobody@127.0.0.1:1/x', migrationsRoot, 'certain');
  await expect(away).rejects.toThrow('cannot be used: connect ECONNREFUSED 127.0.0.1:1.');
});

test('on PostgreSQL a list of migrations that was locked for a while is still read', async () => {
  const url = await createDatabase('postgresql');
  await applyMigrations(url, withMigration('CREATE TABLE newer (id INTEGER);', added));
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE _prisma_migrations');
  const impatient = `${url.split('?')[0]}?options=${encodeURIComponent('-c lock_timeout=1000')}`;
  const refused = expect(applyMigrations(impatient)).rejects.toThrow('used by a newer version');
  const waiting =
    "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND mode = 'AccessShareLock'";
  const isWaiting = async () => (await holder.query<{ n: number }>(waiting)).rows[0]?.n === 1;
  await expect.poll(isWaiting, { timeout: 20_000, interval: 10 }).toBe(true);
  await expect.poll(isWaiting, { timeout: 20_000, interval: 10 }).toBe(false);
  await holder.query('COMMIT');
  await refused;
  await holder.end();
});

describe('migrations on SQLite, where a changed table is rebuilt', () => {
  const tables = `CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE);
    INSERT INTO parent VALUES (7); INSERT INTO child VALUES (7);`;

  test('keep rows that refer to the rebuilt table', async () => {
    const url = await createDatabase('sqlite');
    const rebuild =
      'CREATE TABLE fresh AS SELECT id FROM parent; DROP TABLE parent; ALTER TABLE fresh RENAME TO parent;';
    const index = 'CREATE UNIQUE INDEX parent_id ON parent (id);';
    await applyMigrations(url, withMigration(`${tables} ${rebuild} ${index}`));
    const { adapter } = await connect(url);
    const { rows } = await adapter.queryRaw({
      sql: 'SELECT parent FROM child',
      args: [],
      argTypes: [],
    });
    await adapter.dispose();
    expect(rows).toEqual([[7]]);
  });

  test('are rolled back if referenced rows are lost', async () => {
    const url = await createDatabase('sqlite');
    await expect(
      applyMigrations(url, withMigration(`${tables} DELETE FROM parent;`)),
    ).rejects.toThrow('refer to rows that do not exist');
    expect(await applyMigrations(url, withMigration(tables))).toEqual([added]);
  });
});

describe.each(databases)('the migration to one row for each authorization on %s', (kind) => {
  test('keeps users, clients, grants and sessions, and remembers requests whose code was issued', async () => {
    const url = await createEmptyDatabase(kind);
    await applyMigrations(url, without('one_row_for_each_authorization'));
    const { adapter } = await connect(url);
    const at = (seconds: number) => {
      const moment = new Date(Date.now() + seconds * 1000);
      return kind === 'sqlite' ? String(moment.getTime()) : `'${moment.toISOString()}'`;
    };
    const now = at(0);
    const code = (name: string, made: string) =>
      `INSERT INTO authorization_codes (hash, flow_id, client_id, user_id, grant_id, scope, redirect_uri, redirect_uri_sent, auth_time, amr, user_epoch, client_epoch, created_at, expires_at, keep_until)
        VALUES ('${name}', '${name}', 'c', 'u', 'g', 'a', 'https://app.example', true, ${now}, 'pwd', 0, 0, ${made}, ${made}, ${at(9999)})`;
    await adapter.executeScript(
      [
        `INSERT INTO users (id, username, username_key, email, email_key, created_at, updated_at) VALUES ('u', 'ada', 'ada', 'a@b.example', 'a@b.example', ${now}, ${now})`,
        `INSERT INTO clients (id, name, type, grants, created_at, updated_at) VALUES ('c', 'App', 'public', '', ${now}, ${now})`,
        `INSERT INTO sessions (hash, user_id, user_epoch, auth_time, created_at, last_seen_at, expires_at) VALUES ('s', 'u', 0, ${now}, ${now}, ${now}, ${at(9999)})`,
        `INSERT INTO grants (id, user_id, client_id, scopes, created_at, updated_at) VALUES ('g', 'u', 'c', 'a', ${now}, ${now})`,
        code('recent', at(-60)),
        code('old', at(-4000)),
        `INSERT INTO token_families (id, client_id, user_id, grant_id, scope, user_epoch, client_epoch, created_at, expires_at) VALUES ('f', 'c', 'u', 'g', 'a', 0, 0, ${now}, ${at(9999)})`,
        `INSERT INTO access_tokens (hash, family_id, scope, issued_at, expires_at) VALUES ('t', 'f', 'a', ${now}, ${at(9999)})`,
      ].join(';\n'),
    );
    await applyMigrations(url);
    const count = async (from: string) =>
      Number(
        (await adapter.queryRaw({ sql: `SELECT count(*) FROM ${from}`, args: [], argTypes: [] }))
          .rows[0]?.[0],
      );
    for (const table of ['users', 'clients', 'sessions', 'grants'])
      expect([table, await count(table)]).toEqual([table, 1]);
    expect(await count('authorizations')).toBe(0);
    expect(await count("spent_values WHERE hash = 'flow:recent'")).toBe(1);
    expect(await count("spent_values WHERE hash = 'flow:old'")).toBe(0);
    await adapter.dispose();
  });
});

const added = '99990101000000_added';

/** The existing migrations, and one or two more. */
function withMigration(sql: string, name = added, ...more: [name: string, sql: string][]): string {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(migrationsRoot, folder, { recursive: true });
  for (const kind of databases)
    for (const [each, text] of [[name, sql] as const, ...more]) {
      mkdirSync(resolve(folder, kind, each));
      writeFileSync(resolve(folder, kind, each, 'migration.sql'), text);
    }
  return folder;
}

/** The migrations before the one with this name. */
function without(name: string): string {
  const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(migrationsRoot, folder, { recursive: true });
  for (const kind of databases) {
    const names = migrationNames(kind);
    for (const later of names.slice(names.findIndex((each) => each.endsWith(name))))
      rmSync(resolve(folder, kind, later), { recursive: true });
  }
  return folder;
}

async function migrateInProcess(url: string): Promise<string[]> {
  const child = fork(new URL('../support/migrate-once.ts', import.meta.url), [url]);
  const [[applied], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  expect(code).toBe(0);
  return applied as string[];
}
