import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { auth } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { credentials, post, tokensOf } from '../support/app.ts';
import { openDocumentSite } from '../support/document-site.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { freePort } from '../support/free-port.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { type Identity, McpApp, readNotes } from './mcp-app.ts';
import { pythonWith } from './python.ts';
import { followRecipe, listening, newFolder, start, write } from './recipe-app.ts';
import { allowAt, denyAt, newPerson } from './visit.ts';

// docs/mcp.md: its server and its commands, with the SDK's own client connecting to them.
const site = await openDocumentSite();
const gatehouse = await openServer({
  ...site.env,
  CLIENT_DOCUMENT_HOSTS: '*.client.test',
  CLIENT_REGISTRATION: 'open',
});

const fastMcp = await pythonWith(['fastmcp==4.1.2']);

/** Claude Code's metadata document as published on 8 September 2026. */
const claudeCode = JSON.parse(
  readFileSync(`${import.meta.dirname}/claude-code-metadata.json`, 'utf8'),
);

/**
 * The program in docs/mcp.md that contains these words, with the guide's addresses and values
 * replaced.
 */
function ofGuide(words: string, values: Record<string, string>): string {
  const program = blocksOf('docs/mcp.md').find(
    ({ language, text }) => language !== 'sh' && text.includes(words),
  );
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    program?.text ?? '',
  );
}

/** How an MCP server is made: as the recipe says, or in one of the guide's other ways. */
type Way = 'the recipe' | 'version 1 of the SDK' | 'FastMCP';

const otherWays = {
  'version 1 of the SDK': { file: 'server.mjs', words: '@modelcontextprotocol/sdk/' },
  FastMCP: { file: 'server.py', words: 'from fastmcp' },
};

/** Starts an MCP server, and registers its API with the recipe's command. */
async function startMcpServer(way: Way = 'the recipe'): Promise<string> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, clientId, clientSecret, text } = await followRecipe(
    gatehouse.issuer,
    'mcp-server',
    {
      address,
    },
  );
  const { file, words } = way === 'the recipe' ? { file: 'server.mjs' } : otherWays[way];
  if (words) {
    const filled = ofGuide(words, {
      'https://mcp.example.org': address,
      'https://id.example.org': gatehouse.issuer,
      'CLIENT-ID': clientId,
      'CLIENT-SECRET': clientSecret ?? '',
      '3001': String(port),
    });
    write(folder, file, filled);
  }
  const command = text('Where Gatehouse runs').replaceAll('npm run cli --', 'node lib/cli.ts');
  await promisify(execFile)('sh', ['-ec', command], { env: process.env });
  const program = file.endsWith('.py') ? `${fastMcp}/python` : process.execPath;
  await listening(port, start(folder, program, [file]));
  return `${address}/mcp`;
}

/** The redirect URI of a program that listens on any free port. */
const atAnyPort = () => `http://localhost:${randomInt(20_000, 60_000)}/callback`;

/** Sends a token to a server, without anything else of the protocol. */
const ask = (server: string, token: string) =>
  fetch(server, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });

/** A service's token for an MCP server, either bound to a key or usable by any bearer. */
async function serviceToken(resource: string, isBound: boolean): Promise<string> {
  const client = await newClient({ grants: ['client_credentials'] });
  const grant = { grant_type: 'client_credentials', resource, scope: 'notes:read' };
  const proof = () =>
    newDpopKey().then((key) => proofOf(key, { url: `${gatehouse.issuer}/oauth/token` }));
  const headers: Record<string, string> = isBound ? { DPoP: await proof() } : {};
  const { body } = await post(
    gatehouse,
    '/oauth/token',
    { ...credentials(client), ...grant },
    headers,
  );
  expect(body.token_type).toBe(isBound ? 'DPoP' : 'Bearer');
  return String(body.access_token);
}

/** A copied token that is bound to a key must be refused. */
async function expectNoneBound(server: string): Promise<void> {
  expect((await ask(server, await serviceToken(server, true))).status).toBe(401);
  expect((await ask(server, await serviceToken(server, false))).status).not.toBe(401);
}

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
  'MCP: an AI app with %s signs in, uses a tool, refreshes, and is refused once its access is removed',
  async (_, newIdentity) => {
    const server = await startMcpServer();
    const { user, person } = await newPerson(gatehouse);
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

test('MCP: a request without a token gets the protected resource metadata and the scope', async () => {
  const server = await startMcpServer();
  const refused = await fetch(server, { method: 'POST' });
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  expect(challenge).toContain('scope="notes:read"');
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  expect(await (await fetch(metadata)).json()).toEqual({
    resource: server,
    authorization_servers: [gatehouse.issuer],
    scopes_supported: ['notes:read'],
    resource_name: 'Notes',
  });
});

test.for(['version 1 of the SDK', 'FastMCP'] as const)(
  'MCP: a server with %s admits a signed-in user, and refuses tokens that are not for it',
  async (way, { skip }) => {
    skip(way === 'FastMCP' && fastMcp === null, 'This machine lacks FastMCP.');
    const server = await startMcpServer(way);
    const other = await startMcpServer();
    const { user, person } = await newPerson(gatehouse);
    const refused = await fetch(server, { method: 'POST' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=');
    const newApp = async () => {
      const redirectUris = ['http://localhost/callback'];
      const { id } = await newClient({ type: 'public', redirectUris });
      return new McpApp({ clientId: id, redirectUri: atAnyPort() });
    };
    const app = await newApp();
    const said = await readNotes(await app.connect(server, person));
    expect(said).toBe(`The notes of ${user.username}`);
    expect((await ask(server, 'not a token')).status).toBe(401);
    const elsewhere = await newApp();
    await elsewhere.connect(other, person);
    expect((await ask(server, elsewhere.kept?.access_token ?? '')).status).toBe(401);
    expect((await ask(server, app.kept?.access_token ?? '')).status).not.toBe(401);
    await expectNoneBound(server);
  },
);

/** The guide's client, and the address that it asks to open. */
async function startGuidesClient() {
  const server = await startMcpServer();
  const { id } = await newClient({ type: 'public', redirectUris: ['http://localhost/callback'] });
  const values = {
    'https://mcp.example.org/mcp': server,
    'https://id.example.org': gatehouse.issuer,
    'CLIENT-ID': id,
  };
  const folder = newFolder('mcp-client');
  write(folder, 'client.mjs', ofGuide('@modelcontextprotocol/client', values));
  const program = start(folder, process.execPath, ['client.mjs']);
  const lines = createInterface(program.stdout as Readable)[Symbol.asyncIterator]();
  const [, asked = ''] = /^Open (.*)$/.exec((await lines.next()).value ?? '') ?? [];
  expect(asked, program.complaints()).toContain(gatehouse.issuer);
  return { program, lines, asked };
}

test('MCP: the client of the guide signs in and uses a tool', async () => {
  const { user, person } = await newPerson(gatehouse);
  const { program, lines, asked } = await startGuidesClient();
  const answer = await fetch(await allowAt(person, asked));
  expect(await answer.text()).toBe('Thank you. You can close this window.');
  const { value } = await lines.next();
  expect(value, program.complaints()).toBe(`The notes of ${user.username}`);
  // The SDK would complain if the program left anything out.
  expect(program.complaints()).toBe('');
});

test('MCP: the client of the guide handles access_denied', async () => {
  const { person } = await newPerson(gatehouse);
  const { program, asked } = await startGuidesClient();
  const ended = once(program, 'close');
  const answer = await fetch(await denyAt(person, asked));
  const said = 'You said no. To try again, run the program again.';
  expect(await answer.text()).toBe(said);
  expect(await ended).toEqual([1, null]);
  expect(program.complaints()).toBe(`${said}\n`);
});

test('MCP: the client of the guide thanks only once the code was redeemed', async () => {
  const { person } = await newPerson(gatehouse);
  const { program, asked } = await startGuidesClient();
  const ended = once(program, 'close');
  const back = new URL(await allowAt(person, asked));
  back.searchParams.set('code', 'wrong');
  const said = await (await fetch(back)).text();
  expect(said).toMatch(/ To try again, run the program again\.$/);
  expect(said).not.toContain('Thank you');
  expect(await ended).toEqual([1, null]);
  // The SDK tells of it, too.
  expect(program.complaints()).toContain(said);
});

test('MCP: a token for one server is refused by another, and so is a DPoP-bound one', async () => {
  const mine = await startMcpServer();
  const other = await startMcpServer();
  const { person } = await newPerson(gatehouse);
  const { id } = await newClient({ type: 'public', redirectUris: ['http://localhost/callback'] });
  const app = new McpApp({ clientId: id, redirectUri: atAnyPort() });
  await app.connect(mine, person);
  const token = app.kept?.access_token ?? '';
  expect((await ask(other, token)).status).toBe(401);
  // The token was accepted; the request is refused only because it follows no protocol.
  expect((await ask(mine, token)).status).toBe(415);
  await expectNoneBound(mine);
});

test('MCP: a token without an audience is refused', async () => {
  const server = await startMcpServer();
  const { person } = await newPerson(gatehouse);
  const { access_token } = await tokensOf(gatehouse, person);
  expect((await ask(server, access_token)).status).toBe(401);
});
