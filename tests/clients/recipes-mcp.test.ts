import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { expect, test } from 'vitest';
import { tokensOf } from '../support/app.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { openHouse } from '../support/house.ts';
import { textOf } from '../support/html.ts';
import { newClient } from '../support/seed.ts';
import { freePort } from '../support/server.ts';
import { type Identity, McpApp, readNotes } from './mcp-app.ts';
import { followRecipe, listening, start } from './recipe-app.ts';
import { newPerson } from './visit.ts';

// docs/mcp.md: its server and its commands, and the SDK's own client against them.
const site = await openDocumentSite();
const house = await openHouse({
  ...site.env,
  CLIENT_DOCUMENT_HOSTS: '*.client.test',
  CLIENT_REGISTRATION: 'open',
});

/** Claude Code's metadata document as it was published on 8 September 2026. */
const claudeCode = JSON.parse(
  readFileSync(`${import.meta.dirname}/claude-code-metadata.json`, 'utf8'),
);

/** An MCP server made by the recipe, and its API by the recipe's command. */
async function startMcpServer(): Promise<string> {
  const port = await freePort();
  const { folder, text } = await followRecipe(house.issuer, 'mcp-server', {
    address: `http://localhost:${port}`,
  });
  const command = text('Where Gatehouse runs').replaceAll('npm run cli --', 'node lib/cli.ts');
  await promisify(execFile)('sh', ['-ec', command], { env: process.env });
  await listening(port, start(folder, process.execPath, ['server.mjs']));
  return `http://localhost:${port}/mcp`;
}

/** Where a program listens that takes whatever port is free. */
const atAnyPort = () => `http://localhost:${randomInt(20_000, 60_000)}/callback`;

/** Asks a server with a token, and with nothing else of the protocol. */
const ask = (server: string, token: string) =>
  fetch(server, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

const ways: [string, () => Promise<Identity>][] = [
  [
    'a client that an admin made',
    async () => {
      const { id } = await newClient({
        type: 'public',
        redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      });
      return { clientId: id, redirectUri: atAnyPort() };
    },
  ],
  [
    'Claude Code’s metadata document',
    async () => {
      const document = site.id('claude.client.test', '/oauth/claude-code-client-metadata');
      site.serve(document, { ...claudeCode, client_id: document });
      return { document, redirectUri: atAnyPort() };
    },
  ],
  ['dynamic registration', async () => ({ redirectUri: atAnyPort() })],
];

test.each(ways)(
  'an AI app with %s is refused, signs in, uses a tool, refreshes, and is refused once it is removed',
  async (_, newIdentity) => {
    const [server, { user, person }] = [await startMcpServer(), await newPerson(house)];
    const app = new McpApp(await newIdentity());
    const client = await app.connect(server, person);
    expect(app.sentTo?.searchParams.get('resource')).toBe(server);
    expect(await readNotes(client)).toBe(`The notes of ${user.username}`);

    const first = app.kept?.access_token ?? '';
    expect(await auth(app, { serverUrl: server })).toBe('AUTHORIZED');
    expect(app.kept?.access_token).not.toBe(first);
    expect(await readNotes(await app.open(server))).toBe(`The notes of ${user.username}`);

    const apps = await person.open('/account/apps');
    expect(textOf(apps.html)).toContain('Notes');
    const { client_id = '' } = app.information ?? {};
    expect((await person.submit(apps, '/account/apps/submit', { client_id })).status).toBe(200);
    const refused = await ask(server, app.kept?.access_token ?? '');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    await expect(readNotes(client)).rejects.toThrow();
  },
);

test('a request without a token is told where to get one, and for what', async () => {
  const server = await startMcpServer();
  const refused = await fetch(server, { method: 'POST' });
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  expect(challenge).toContain('scope="notes:read"');
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  expect(await (await fetch(metadata)).json()).toEqual({
    resource: server,
    authorization_servers: [house.issuer],
    scopes_supported: ['notes:read'],
    resource_name: 'Notes',
  });
});

test('a token for one server is refused by another', async () => {
  const [mine, other] = [await startMcpServer(), await startMcpServer()];
  const { person } = await newPerson(house);
  const { id } = await newClient({ type: 'public', redirectUris: ['http://localhost/callback'] });
  const app = new McpApp({ clientId: id, redirectUri: atAnyPort() });
  await app.connect(mine, person);
  const token = app.kept?.access_token ?? '';
  expect((await ask(other, token)).status).toBe(401);
  // Let in, and refused only because nothing of the protocol was said.
  expect((await ask(mine, token)).status).toBe(406);
});

test('a token that is meant for no server in particular is refused', async () => {
  const server = await startMcpServer();
  const { person } = await newPerson(house);
  const { access_token } = await tokensOf(house, person);
  expect((await ask(server, access_token)).status).toBe(401);
});
