import { beforeAll, expect, test } from 'vitest';
import { newLogFile } from '../support/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { startServer } from '../support/server.ts';
import { cli, failure, json } from './command-line.ts';

type Row = { name: string; value: unknown; source: string };

async function listed() {
  const { settings, environment } = await json(['settings', 'list']);
  const rows = settings as Row[];
  return { environment, row: (name: string) => rows.find((each) => each.name === name) };
}

onEachDatabase(() => {
  beforeAll(() => {
    delete process.env.SECURITY_PROFILE;
  });

  test('settings list: before any server has started, the settings are those of the shell', async () => {
    const { environment, row } = await listed();
    expect(environment).toEqual({ of: 'shell', server_started_at: null, shell_differs: [] });
    expect(row('REQUIRE_PKCE')).toMatchObject({ value: false, source: 'default' });
  });

  test('settings list: the settings are those of the running server, whatever the shell’s environment is', async () => {
    const databaseUrl = process.env.DATABASE_URL ?? '';
    const env = { SECURITY_PROFILE: 'strict', CODE_TTL: '45', REGISTRATION: 'open' };
    const told = { ...env, ISSUER: 'https://id.example.com' };
    const server = await startServer({
      mount: 'direct',
      databaseUrl,
      logFile: newLogFile('told'),
      env: told,
    });
    const { environment, row } = await listed();
    expect(environment).toMatchObject({
      of: 'server',
      shell_differs: ['SECURITY_PROFILE', 'CODE_TTL', 'REGISTRATION'],
    });
    expect(row('REQUIRE_PKCE')).toMatchObject({ value: true, source: 'default' });
    expect(row('CODE_TTL')).toMatchObject({ value: 45, source: 'environment' });
    expect(row('REGISTRATION')).toMatchObject({ value: 'open', source: 'environment' });
    expect((await cli(['settings', 'list'])).stdout).toContain(
      "This shell's environment differs in SECURITY_PROFILE, CODE_TTL, REGISTRATION.",
    );
    expect(await failure(['settings', 'set', 'code_ttl', '20'])).toContain(
      'CODE_TTL is set by the environment',
    );
    await server.stop();
  });
});
