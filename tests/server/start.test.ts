import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyMigrations } from '#lib/tooling/migrate.ts';
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

/** Whom permissions do not bind is bound by them here; empty: they do; null: there is no way to. */
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

/** The one line that a start ends with that cannot be. */
async function refusal(env: Record<string, string>, before?: string[]): Promise<string> {
  const { child, printed } = start(env, before);
  const [code] = await once(child, 'close');
  // Next.js may have said that it runs its configuration.
  const said = printed().replace(/^✓ .+\n/, '');
  expect([code, said]).toEqual([1, expect.stringMatching(/^Gatehouse cannot start: .+\n$/)]);
  return said;
}

describe('a start that cannot be ends with a sentence that says what to do', () => {
  test('the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await refusal({ PORT: String(port) })).toMatch(
      new RegExp(`Port ${port} of 127.0.0.1 is taken. Stop .* or set PORT`),
    );
    other.close();
  });

  test('the address is no address of this machine', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(/no address 192.0.2.1. Set HOST/);
  });

  test('the folder of the database cannot be made', async () => {
    writeFileSync(resolve(folder, 'file'), '');
    const url = `file:${resolve(folder, 'file/data/gatehouse.db')}`;
    expect(await refusal({ DATABASE_URL: url })).toMatch(/cannot be written \(ENOTDIR\); give/);
  });

  test('the database is no database', async () => {
    writeFileSync(
      resolve(folder, 'gatehouse.db'),
      'something else, and long enough to be looked at',
    );
    expect(await refusal({})).toMatch(/DATABASE_URL names cannot be used: .*not a database/);
  });

  test('the secret is a folder', async () => {
    const secret = { SERVER_SECRET: '', SERVER_SECRET_FILE: folder };
    expect(await refusal(secret)).toMatch(/The secret in .* cannot be read \(EISDIR\). Give/);
  });

  describe.runIf(bound !== null)('for want of permission', () => {
    test.each([0o444, 0o000])('the database is a file with mode %o', async (mode) => {
      const file = resolve(folder, 'gatehouse.db');
      await applyMigrations(`file:${file}`);
      chmodSync(file, mode);
      expect(await refusal({}, bound ?? [])).toMatch(/cannot be written \(EACCES\); give the user/);
    });

    test('the folder of the database may not be written', async () => {
      chmodSync(folder, 0o555);
      expect(await refusal({}, bound ?? [])).toMatch(/cannot be written \(EACCES\); give the user/);
    });

    test('the secret may not be read', async () => {
      const file = resolve(folder, 'secret');
      writeFileSync(file, 'x'.repeat(40));
      chmodSync(file, 0);
      const secret = { SERVER_SECRET: '', SERVER_SECRET_FILE: file };
      expect(await refusal(secret, bound ?? [])).toMatch(/cannot be read \(EACCES\). Give/);
    });
  });

  test('npm start: there is no place for the secret', () => {
    writeFileSync(resolve(folder, 'file'), '');
    const env = { NODE_ENV: 'production' as const, DATA_DIR: resolve(folder, 'file/data') };
    expect(() => ensureServerSecret(env)).toThrow(/cannot be written \(ENOTDIR\).* set DATA_DIR/);
  });
});

describe.runIf(process.platform !== 'win32')('files of the server are for its owner alone', () => {
  const modeOf = (name: string) => (statSync(resolve(folder, name)).mode & 0o777).toString(8);

  async function startAndStop(env: Record<string, string>): Promise<string> {
    const { child, printed } = start(env);
    while (!printed().includes('is ready')) await once(child.stdout as NodeJS.EventEmitter, 'data');
    const modes = ['gatehouse.db', 'gatehouse.db-wal', 'gatehouse.db-shm'].map(modeOf);
    expect(modes).toEqual(['600', '600', '600']);
    child.kill();
    await once(child, 'close');
    return printed();
  }

  test('a database that is made, whatever the umask, and the folder it is made in', async () => {
    const url = `file:${resolve(folder, 'data/gatehouse.db')}`;
    const { child, printed } = start({ DATABASE_URL: url });
    while (!printed().includes('is ready')) await once(child.stdout as NodeJS.EventEmitter, 'data');
    const names = ['data', 'data/gatehouse.db', 'data/gatehouse.db-wal', 'data/gatehouse.db-shm'];
    expect(names.map(modeOf)).toEqual(['700', '600', '600', '600']);
    child.kill();
    await once(child, 'close');
  });

  test('a database that others could read is closed to them, and the log says so', async () => {
    await applyMigrations(`file:${resolve(folder, 'gatehouse.db')}`);
    chmodSync(resolve(folder, 'gatehouse.db'), 0o644);
    expect(await startAndStop({})).toMatch(/gatehouse\.db","mode":"0644","msg":"others could use/);
  });

  test('a secret of the server is closed; one that the operator keeps is warned of', async () => {
    mkdirSync(resolve(folder, 'data'));
    writeFileSync(resolve(folder, 'data/server-secret'), 'x'.repeat(40));
    chmodSync(resolve(folder, 'data/server-secret'), 0o644);
    await startAndStop({ SERVER_SECRET: '', DATA_DIR: resolve(folder, 'data') });
    expect(modeOf('data/server-secret')).toBe('600');

    const file = resolve(folder, 'kept');
    writeFileSync(file, 'x'.repeat(40));
    chmodSync(file, 0o644);
    const printed = await startAndStop({ SERVER_SECRET: '', SERVER_SECRET_FILE: file });
    expect(printed).toMatch(/kept","mode":"0644","msg":"everybody can read this secret/);
    expect(modeOf('kept')).toBe('644');
  });

  test('a database that a command makes', async () => {
    const url = `file:${resolve(folder, 'cli.db')}`;
    const env = serverEnvironment('direct', url, 0);
    execFileSync(process.execPath, ['lib/cli.ts', 'user', 'list'], { env });
    expect(modeOf('cli.db')).toBe('600');
  });
});

describe('what a start says is left to do', () => {
  test('is true: nobody can sign in, then there is no admin, then nothing', async () => {
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
