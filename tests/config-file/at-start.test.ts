import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onSide } from '#lib/backup/open-side.ts';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { serverEnvironment, startServer } from '../support/server.ts';
import { folder, secretFor } from './files.ts';

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const text =
  'apps:\n  wiki: {name: Wiki, redirect_uris: [https://wiki.example/cb], secret: {env: WIKI_SECRET}, allowed_users: [ada@example.org]}\n';
const count = (databaseUrl: string, table: string) =>
  onSide(databaseUrl, 'read', (side) => side.number(`SELECT count(*) FROM ${table}`));

describe.each(databases)('CONFIG_FILE on %s', (kind) => {
  test('is applied by one of the starting servers, which then serve its JSON Schema', async () => {
    const databaseUrl = await createDatabase(kind);
    const env = { CONFIG_FILE: file('good.yaml', text), WIKI_SECRET: secretFor('wiki') };
    const logs = [newLogFile('config-one'), newLogFile('config-two')] as const;
    const start = (logFile: string) => startServer({ mount: 'direct', databaseUrl, logFile, env });
    const servers = await Promise.all([start(logs[0]), start(logs[1])]);
    try {
      expect(await count(databaseUrl, `audit_events WHERE type = 'client.created'`)).toBe(1);
      expect(await count(databaseUrl, 'file_owned')).toBe(1);
      const lines = () => logs.map((log) => readFileSync(log, 'utf8')).join('');
      await expect.poll(lines).toContain('1 to create. There is more to know');
      expect(lines()).not.toContain('ada@example.org');
      const address = `http://127.0.0.1:${servers[0].port}`;
      const token = await fetch(`${address}/oauth/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`wiki:${secretFor('wiki')}`)}` },
        body: new URLSearchParams({ token: 'none' }),
      });
      expect(token.status).toBe(200);
      const schema = await fetch(`${address}/docs/gatehouse.schema.json`);
      expect(schema.headers.get('content-type')).toContain('application/json');
      expect(await schema.json()).toMatchObject({ title: 'gatehouse.yaml', type: 'object' });
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});

test('CONFIG_FILE with faults prevents the start and reports them', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const CONFIG_FILE = file(
    'wrong.yaml',
    'apps:\n  a: {nam: A}\n  b: {name: B, secret: {env: NONE}}\n',
  );
  const env = { ...serverEnvironment('direct', databaseUrl, 0), CONFIG_FILE };
  const child = spawn(process.execPath, ['lib/server.ts'], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(78);
  expect(said).toContain(
    'Gatehouse cannot start: CONFIG_FILE cannot be applied, and nothing of it was:\n',
  );
  expect(said).toContain('wrong.yaml:2: apps.a.nam: Unknown field. Did you mean name?');
});
