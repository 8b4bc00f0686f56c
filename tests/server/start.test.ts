import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { checkNames } from '#lib/server/misspelt.ts';
import { applyMigrations, applyMigrationsUpTo } from '#lib/tooling/migrate.ts';
import { migrationNames } from '#lib/tooling/migrations.ts';
import { ensureServerSecret } from '#lib/tooling/secret.ts';
import { createDatabase } from '../support/database.ts';
import { serverEnvironment } from '../support/server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-start-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

/**
 * The command prefix that makes file permissions apply to this user; empty if they already do, null
 * if there is no way.
 */
const bound = boundByPermissions();

function boundByPermissions(): string[] | null {
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() !== 0) return [];
  const without = ['--bounding-set=-dac_override,-dac_read_search,-fowner'];
  try {
    execFileSync('setpriv', [...without, 'true'], { stdio: 'ignore' });
    return ['setpriv', ...without];
  } catch {
    return null;
  }
}

type Started = { child: ChildProcess; printed: () => string };

function start(env: Record<string, string>, before: string[] = []): Started {
  const [program = '', ...args] = [...before, process.execPath, 'lib/server.ts'];
  const url = `file:${resolve(folder, 'gatehouse.db')}`;
  const child = spawn(program, args, { env: { ...serverEnvironment('direct', url, 0), ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, printed: () => text };
}

/** The single line with which a failing start ends. */
async function refusal(
  env: Record<string, string>,
  before?: string[],
  codes = [1, 78],
): Promise<string> {
  const { child, printed } = start(env, before);
  const [code] = await once(child, 'close');
  const said = printed();
  expect(codes).toContain(code);
  expect(said).toMatch(/^Gatehouse cannot start: .+\n$/);
  return said;
}

/** Waits until a server answers. */
async function ready(server: Started): Promise<Started> {
  while (!server.printed().includes('is ready'))
    await once(server.child.stdout as NodeJS.EventEmitter, 'data');
  return server;
}

/** Stops a server, as its operator does. */
async function ended({ child }: Started): Promise<void> {
  child.kill();
  await once(child, 'close');
}

/** The exit code after which a service manager tries again. */
const tryAgain = [1];

describe('a start that is impossible ends with a sentence that says what to do', () => {
  test('if the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const said = await refusal({ PORT: String(port) });
    other.close();
    expect(said).toMatch(
      new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken.* Stop that program`),
    );
    const next = Number(/ or set another one: PORT=(\d+)$/m.exec(said)?.[1]);
    expect(next).toBeGreaterThan(port);
    if (process.platform === 'linux')
      expect(said).toContain(`taken by node (process ${process.pid}, started in this folder`);
  });

  test('if HOST is not an address of this machine', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(/no address 192.0.2.1. Set HOST/);
  });

  test('if the folder of the database cannot be created', async () => {
    writeFileSync(resolve(folder, 'file'), '');
    const url = `file:${resolve(folder, 'file/data/gatehouse.db')}`;
    expect(await refusal({ DATABASE_URL: url })).toContain(
      `${resolve(folder, 'file')} is a file, and a folder is needed there. Fix that, or choose another place, such as DATABASE_URL=file:/`,
    );
  });

  test.runIf(process.platform === 'linux')(
    'if the folder of the database is below /proc, where nothing can be created',
    async () => {
      for (const place of ['/proc/none/gatehouse.db', '/proc/self/fd/none/gatehouse.db'])
        expect(await refusal({ DATABASE_URL: `file:${place}` })).toMatch(
          /\/none cannot be written by \S+ \(ENOENT\)\. Fix that/,
        );
    },
  );

  test('if the database is a folder', async () => {
    mkdirSync(resolve(folder, 'gatehouse.db'));
    expect(await refusal({})).toMatch(/gatehouse\.db is a folder, and a file is needed there/);
  });

  test('if the database file is not a database', async () => {
    writeFileSync(
      resolve(folder, 'gatehouse.db'),
      'something else, and long enough to be looked at',
    );
    expect(await refusal({})).toMatch(/DATABASE_URL cannot be used: .*not a database/);
  });

  test('if the secret is a folder', async () => {
    const secret = { SERVER_SECRET: '', SERVER_SECRET_FILE: folder };
    expect(await refusal(secret)).toMatch(/The secret in .* cannot be read \(EISDIR\). Give/);
  });

  describe.runIf(bound !== null)('for lack of permission', () => {
    test.each([0o444, 0o000])('if the database is a file with mode %o', async (mode) => {
      const file = resolve(folder, 'gatehouse.db');
      await applyMigrations(`file:${file}`);
      chmodSync(file, mode);
      expect(await refusal({}, bound ?? [])).toMatch(/cannot be written by \S+ \(EACCES\)\. Fix/);
    });

    test('if the folder of the database is not writable', async () => {
      chmodSync(folder, 0o555);
      expect(await refusal({}, bound ?? [])).toMatch(/cannot be written by \S+ \(EACCES\)\. Fix/);
    });

    test('if the secret is not readable', async () => {
      const file = resolve(folder, 'secret');
      writeFileSync(file, 'x'.repeat(40));
      chmodSync(file, 0);
      const secret = { SERVER_SECRET: '', SERVER_SECRET_FILE: file };
      expect(await refusal(secret, bound ?? [])).toMatch(/cannot be read \(EACCES\). Give/);
    });
  });

  test.each([
    ['a file', 'file', /file is a file, and a folder is needed there\. .*DATA_DIR=/],
    ['below a file', 'file/data', /file is a file, and a folder is needed there\. .*DATA_DIR=/],
    ['below /proc', '/proc/none', /\/proc\/none cannot be written by \S+ \(E\w+\)\. .*DATA_DIR=/],
  ])('npm start: if DATA_DIR is %s', (_, place, sentence) => {
    writeFileSync(resolve(folder, 'file'), '');
    const env = {
      NODE_ENV: 'production' as const,
      DATABASE_URL: 'file:/nowhere/own.db',
      DATA_DIR: resolve(folder, place),
    };
    expect(() => ensureServerSecret(env)).toThrow(sentence);
  });

  test('if no backup can be written to BACKUP_DIR', async () => {
    writeFileSync(resolve(folder, 'file'), '');
    for (const BACKUP_DIR of [resolve(folder, 'file'), '/proc/nix'])
      expect(await refusal({ BACKUP_DIR }, [], tryAgain)).toMatch(
        /No backup can be made in BACKUP_DIR: .*name/,
      );
  });

  test('if a server with another ISSUER runs on the database; the same, and one that names none, are no hindrance', async () => {
    const url = `file:${resolve(folder, 'gatehouse.db')}`;
    const env = { ISSUER: 'https://id.example.org' };
    const first = start(env);
    await ready(first);
    const said = await refusal({ ISSUER: 'https://login.example.org' }, [], tryAgain);
    expect(said).toContain('ISSUER is https://login.example.org, and a server runs on');
    expect(said).toContain(`process ${first.child.pid} of `);
    expect(said).toContain(' for https://id.example.org. ');
    expect(said).toContain('Set the same ISSUER here, or stop that server first');
    await ended(await ready(start(env)));
    await ended(first);
    // As a server of an earlier release shows itself.
    const db = new BetterSqlite3(url.slice('file:'.length));
    const lease = 'INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ?)';
    db.prepare(lease).run('server:1', 'process 7 of attic', Date.now() + 60_000);
    db.close();
    await ended(await ready(start({ ISSUER: 'https://login.example.org' })));
  });

  test('if one with another ISSUER starts on the database at the same moment: one of the two serves', async () => {
    const issuers = ['https://id.example.org', 'https://login.example.org'];
    const two = issuers.map((ISSUER) => start({ ISSUER }));
    const endings = two.map(({ child }) => once(child, 'close'));
    const last = await Promise.race(endings.map((ending, at) => ending.then(() => at)));
    const said = two[last]?.printed();
    const winner = two[1 - last] as Started;
    expect(said).toContain(`ISSUER is ${issuers[last]}, and a server `);
    expect(said).toContain(` for ${issuers[1 - last]}. All servers on one database`);
    await ended(await ready(winner));
  });

  test('if a variable has almost the name of a setting, and so no effect', async () => {
    expect(await refusal({ REQUIRE_PKSE: 'on' })).toContain(
      'There is no variable REQUIRE_PKSE. Did you mean REQUIRE_PKCE?',
    );
  });
});

describe('an invalid ISSUER is refused with the rule that it breaks', () => {
  test.each([
    ['https://id.example.org:443', /names port 443, .*: set ISSUER=https:\/\/id\.example\.org\.$/],
    ['http://id.example.org:80', /names port 80, /],
    ['https://ID.example.org', /has capitals, .*ISSUER=https:\/\/id\.example\.org\.$/],
    ['https://id.example.org/', /ends with a slash, .*ISSUER=https:\/\/id\.example\.org\.$/],
    ['https://id.example.org/auth', /has a path, /],
    ['https://id.example.org?x=1', /has a query/],
    ['https://me@id.example.org', /has a user name/],
    ['id.example.org', /is "id\.example\.org", and has to be the public address/],
    ['data:text/html,x', /has to be the public address/],
  ])('%s', (ISSUER, sentence) => {
    expect(() => parseConfig({ ISSUER, SERVER_SECRET: 'x'.repeat(32) })).toThrow(sentence);
  });

  test('PORT=80 without ISSUER gives an address as browsers write it', () => {
    const { issuer } = parseConfig({ PORT: '80', SERVER_SECRET: 'x'.repeat(32) });
    expect(issuer).toBe('http://localhost');
  });
});

describe('a variable whose name is almost that of a known one', () => {
  test.each([
    ['REQUIRE_PKSE', 'REQUIRE_PKCE'],
    ['REQIURE_PKCE', 'REQUIRE_PKCE'],
    ['require_pkce', 'REQUIRE_PKCE'],
    ['GATEHOUSE_REQUIRE_PKCE', 'REQUIRE_PKCE'],
    ['ENFORCE_REDIRECT_URL', 'ENFORCE_REDIRECT_URI'],
    ['ACCESS_TOKEN_TLL', 'ACCESS_TOKEN_TTL'],
    ['SECURITY_PROFIL', 'SECURITY_PROFILE'],
  ])('of a setting is refused: %s', (name, meant) => {
    expect(() => checkNames({ [name]: 'on' })).toThrow(`Did you mean ${meant}?`);
  });

  test('is reported together with all others at one start', () => {
    const env = { REQUIRE_PKSE: 'on', SECURITY_PROFIL: 'strict', TRUSTED_PROXY: '10.0.0.1' };
    expect(() => checkNames(env)).toThrow(
      /no variable REQUIRE_PKSE\. Did you mean REQUIRE_PKCE\? There is no variable SECURITY_PROFIL\. Did you mean SECURITY_PROFILE\? .*TRUSTED_PROXY is not used\. Did you mean TRUSTED_PROXIES\?/,
    );
  });

  test.each([
    ['TRUSTED_PROXY', 'Did you mean TRUSTED_PROXIES?'],
    ['WORKER', 'Did you mean WORKERS?'],
    ['TRUSTED_PROXYS', 'Did you mean TRUSTED_PROXIES?'],
    ['GATEHOUSE_ISSUER', 'Did you mean ISSUER?'],
    ['issuer', 'Did you mean ISSUER?'],
    ['MAIL_FORM', 'Did you mean MAIL_FROM?'],
    ['DATABASE_URI', 'Did you mean DATABASE_URL?'],
    ['REQUIRE_MFA', 'no such variable'],
    ['GATEHOUSE_THEME', 'no such variable'],
  ])('of another variable causes a warning: %s', (name, sentence) => {
    expect(checkNames({ [name]: 'x' })).toEqual([expect.stringContaining(sentence)]);
  });

  test('is ignored if it belongs to another program or has no value', () => {
    const foreign =
      'HOME HOSTNAME HOSTTYPE POST PORTS USER MAIL MAILTO LOGNAME NODE_ENV NODE_OPTIONS PGHOST PGPORT SECRET CODE_PATH ACCEPT_EULA ALLOW_EMPTY_PASSWORD SESSION_MANAGER XDG_SESSION_ID STOPPED http_proxy npm_config_cache';
    const env = Object.fromEntries(foreign.split(' ').map((name) => [name, 'x']));
    expect(checkNames({ ...env, REQUIRE_PKSE: '' })).toEqual([]);
    expect(checkNames(process.env)).toEqual([]);
  });

  test('is found in little time, however many and long the names are', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `REQUIRE_${'X'.repeat(i)}`);
    expect(() => checkNames(Object.fromEntries(names.map((name) => [name, '1'])))).not.toThrow();
  });
});

describe.runIf(process.platform !== 'win32')(
  'files that the server creates are readable by their owner only',
  () => {
    const modeOf = (name: string) => (statSync(resolve(folder, name)).mode & 0o777).toString(8);

    async function startAndStop(env: Record<string, string>): Promise<string> {
      const { child, printed } = start(env);
      while (!printed().includes('is ready'))
        await once(child.stdout as NodeJS.EventEmitter, 'data');
      const modes = ['gatehouse.db', 'gatehouse.db-wal', 'gatehouse.db-shm'].map(modeOf);
      expect(modes).toEqual(['600', '600', '600']);
      child.kill();
      await once(child, 'close');
      return printed();
    }

    test('a new database, regardless of the umask, and its new folder', async () => {
      const url = `file:${resolve(folder, 'data/gatehouse.db')}`;
      const { child, printed } = start({ DATABASE_URL: url });
      while (!printed().includes('is ready'))
        await once(child.stdout as NodeJS.EventEmitter, 'data');
      const names = ['data', 'data/gatehouse.db', 'data/gatehouse.db-wal', 'data/gatehouse.db-shm'];
      expect(names.map(modeOf)).toEqual(['700', '600', '600', '600']);
      child.kill();
      await once(child, 'close');
    });

    test('a database that others could read gets mode 600, and the log says so', async () => {
      await applyMigrations(`file:${resolve(folder, 'gatehouse.db')}`);
      chmodSync(resolve(folder, 'gatehouse.db'), 0o644);
      expect(await startAndStop({})).toMatch(
        /gatehouse\.db","mode":"0644","msg":"others could use/,
      );
    });

    test('the server’s own secret gets mode 600; the operator’s secret file only causes a warning', async () => {
      mkdirSync(resolve(folder, 'data'));
      writeFileSync(resolve(folder, 'data/server-secret'), 'x'.repeat(40));
      chmodSync(resolve(folder, 'data/server-secret'), 0o644);
      await startAndStop({ SERVER_SECRET: '', DATA_DIR: resolve(folder, 'data') });
      expect(modeOf('data/server-secret')).toBe('600');

      const file = resolve(folder, 'kept');
      writeFileSync(file, 'x'.repeat(40));
      chmodSync(file, 0o644);
      const printed = await startAndStop({ SERVER_SECRET: '', SERVER_SECRET_FILE: file });
      expect(printed).toMatch(/kept","mode":"0644","msg":"everyone can read this secret/);
      expect(modeOf('kept')).toBe('644');
    });

    test('a database that a command creates', async () => {
      const url = `file:${resolve(folder, 'cli.db')}`;
      const env = serverEnvironment('direct', url, 0);
      execFileSync(process.execPath, ['lib/cli.ts', 'user', 'list'], { env });
      expect(modeOf('cli.db')).toBe('600');
    });
  },
);

describe('the output of a start', () => {
  test('says how many changes brought an older database up to date, and how long they took; a new one is no news', async () => {
    const url = `file:${resolve(folder, 'gatehouse.db')}`;
    await applyMigrationsUpTo(url, migrationNames('sqlite').at(-3) ?? '');
    const older = await ready(start({}));
    await ended(older);
    expect(older.printed()).toMatch(
      /^The database \/.*gatehouse\.db was brought up to date: 2 changes in \d+\.\d s\.$/m,
    );
    const same = await ready(start({}));
    await ended(same);
    const made = await ready(start({ DATABASE_URL: `file:${resolve(folder, 'new.db')}` }));
    await ended(made);
    for (const { printed } of [same, made]) expect(printed()).not.toContain('up to date');
  });

  async function said(env: Record<string, string> = {}): Promise<string> {
    const { child, printed } = start(env);
    while (!/setup\?token=\S+\n/.test(printed()))
      await once(child.stdout as NodeJS.EventEmitter, 'data');
    child.kill();
    await once(child, 'close');
    return printed();
  }

  test('has the link to create the first admin on its own, without terminal codes in a file', async () => {
    expect(await said()).toMatch(
      /\n\nNobody can sign in yet\. Create the first admin here, within a day:\n\n {2}http:\S+\/setup\?token=gh_su_[\w-]{43}\n\n/,
    );
  });

  test('of npm run dev has that link too, and a sentence if the port is taken', async () => {
    const url = `file:${resolve(folder, 'gatehouse.db')}`;
    const env = { ...serverEnvironment('direct', url, 0), NODE_ENV: 'development' as const };
    const dev = (more: Record<string, string>) => {
      const child = spawn(process.execPath, ['lib/server/dev.ts'], { env: { ...env, ...more } });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (text += chunk));
      return { child, printed: () => text };
    };
    const { child, printed } = dev({});
    while (!/\n {2}http:\S+\/setup\?token=gh_su_[\w-]{43}\n/.test(printed()))
      await once(child.stdout, 'data');
    child.kill();
    await once(child, 'close');

    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const second = dev({ PORT: String(port) });
    expect(await once(second.child, 'close')).toEqual([1, null]);
    other.close();
    expect(second.printed()).toMatch(/^Gatehouse cannot start: Port \d+ .*PORT=\d+\n$/);
  });

  test('has that link, and the sign-in page says “Not set up yet”', async () => {
    const { child, printed } = start({});
    while (!/setup\?token=\S+\n/.test(printed()))
      await once(child.stdout as NodeJS.EventEmitter, 'data');
    const port = /listening on [^)]*:(\d+),/.exec(printed())?.[1];
    const page = await (await fetch(`http://localhost:${port}/login`)).text();
    child.kill();
    await once(child, 'close');
    expect(page).toContain('Not set up yet');
  });

  test('has none of the lines that Next.js prints', async () => {
    expect(await said()).not.toMatch(/next\.config|✓|▲/);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['no mail', {}, /^MAIL_URL is not set, so no email is sent: users cannot reset/m],
    [
      'no sender',
      { MAIL_URL: 'smtp://127.0.0.1:1', ISSUER: 'https://id.example.org' },
      /^Emails are sent from no-reply@id\.example\.org\. To change the sender: MAIL_FROM=\S/m,
    ],
    [
      'no sender that could be right',
      { MAIL_URL: 'smtp://127.0.0.1:1' },
      /^Emails are sent from no-reply@localhost, which most mail servers refuse\. .*MAIL_FROM=/m,
    ],
    [
      'a sender',
      { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Ada <ada@example.org>' },
      /^Emails are sent from ada@example\.org\.$/m,
    ],
  ])('has a sentence about mail: %s', async (_, env, sentence) => {
    expect(await said(env)).toMatch(sentence);
  });
});

describe('a start with another ISSUER', () => {
  const [old, another] = ['https://id.old.example', 'https://id.new.example'];
  async function startedAt(databaseUrl: string, env: Record<string, string>): Promise<string> {
    const { child, printed } = start({ DATABASE_URL: databaseUrl, ...env });
    while (!/setup\?token=\S+\n/.test(printed()))
      await once(child.stdout as NodeJS.EventEmitter, 'data');
    child.kill();
    await once(child, 'close');
    return printed();
  }

  test('says how many apps and passkeys belong to the former one; returning to it says nothing', async () => {
    const databaseUrl = await createDatabase('sqlite');
    const env = serverEnvironment('direct', databaseUrl, 0);
    expect(await startedAt(databaseUrl, { ISSUER: old })).not.toContain('ISSUER is');
    const cli = (...args: string[]) =>
      execFileSync(process.execPath, ['lib/cli.ts', ...args], { env });
    cli('client', 'create', '--name', 'Wiki', '--redirect-uri', 'https://wiki.example/callback');
    cli(
      'user',
      'create',
      '--username',
      'ada',
      '--email',
      'ada@example.org',
      '--password',
      'a long password',
    );
    const db = new BetterSqlite3(databaseUrl.slice('file:'.length));
    db.exec(`INSERT INTO passkeys (id, user_id, name, public_key, counter, aaguid, created_at)
      SELECT 'of-an-older-version', id, 'Phone', 'x', 0, 'x', created_at FROM users`);
    db.close();

    const changed = await startedAt(databaseUrl, { ISSUER: another });
    expect(changed).toContain(
      `WARNING: ISSUER is ${another}; it was ${old}. 1 app got no token since, and may still name the old address in its settings. 1 passkey cannot work here, because browsers bind them to their host (id.old.example). docs/change-address.md says`,
    );
    expect(changed).toContain(`ISSUER=${old} again undoes the change`);
    expect(await startedAt(databaseUrl, { ISSUER: another })).toContain(`it was ${old}`);
    // A port that was not chosen makes no lasting address.
    expect(await startedAt(databaseUrl, {})).toContain(`it was ${old}`);
    expect(await startedAt(databaseUrl, { ISSUER: old })).not.toContain('ISSUER is');
  });
});

describe('the hint at a start about what is left to set up', () => {
  test('is that no user can sign in, then that there is no admin, then absent', async () => {
    const databaseUrl = await createDatabase('sqlite');
    const env = serverEnvironment('direct', databaseUrl, 0);
    const said = async () => {
      const { child, printed } = start({ DATABASE_URL: databaseUrl });
      while (!printed().includes('is ready'))
        await once(child.stdout as NodeJS.EventEmitter, 'data');
      child.kill();
      await once(child, 'close');
      return /(Nobody can sign in yet|There is no admin yet)/.exec(printed())?.[0];
    };
    expect(await said()).toBe('Nobody can sign in yet');
    const who = [
      '--username',
      'ada',
      '--email',
      'ada@example.org',
      '--password',
      'a long password',
    ];
    execFileSync(process.execPath, ['lib/cli.ts', 'user', 'create', ...who], { env });
    expect(await said()).toBe('There is no admin yet');
    execFileSync(process.execPath, ['lib/cli.ts', 'user', 'set-admin', 'ada'], { env });
    expect(await said()).toBeUndefined();
  });
});
