import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ClientKind, startOf } from '#lib/management/client/client-kinds.ts';
import { createClient } from '#lib/management/client/clients.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { credentials, post, readAnswer } from '../support/app.ts';
import { newLogFile } from '../support/database.ts';
import { textOf, unescapeHtml } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newVisitor, Person } from '../support/person.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { startServer } from '../support/server.ts';

const gatehouse = await openServer();
const redirectUri = 'https://app.example/cb';
const cli = { id: 'cli' };

/** What a server with its own log writes to it while some work is done. */
async function logged(work: (base: string) => Promise<void>): Promise<Record<string, unknown>[]> {
  const { databaseUrl } = gatehouse;
  const logFile = newLogFile('developers');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile });
  await work(`http://127.0.0.1:${server.port}`);
  await server.stop();
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

test.each<ClientKind>(['oidc', 'web'])(
  'an app of the dashboard’s kind %s signs users in as libraries do by default: no PKCE, offline_access',
  async (kind) => {
    const settings = { ...startOf(kind), name: 'Wiki', redirectUris: [redirectUri] };
    const { client, secret } = await createClient(settings, cli, new Date());
    const scope = 'openid profile email offline_access';
    const params = { client_id: client.id, response_type: 'code', scope };
    const answer = answerOf(await (await newVisitor(gatehouse)).authorize(params));
    expect(answer).not.toHaveProperty('error');
    const app: TestClient = { id: client.id, secret: secret ?? '', redirectUri };
    const grant = { grant_type: 'authorization_code', code: answer.code ?? '' };
    const { body } = await post(gatehouse, '/oauth/token', { ...grant, ...credentials(app) });
    expect(body).toMatchObject({ scope, id_token: expect.any(String) });
  },
);

test('an unregistered redirect URI: the page names the app and shows what was sent, as plain text', async () => {
  const client = await newClient({ name: 'Web shop' });
  const sent = `https://evil.example/\u202ecb?x=<b>&token=secret#${'y'.repeat(400)}`;
  const params = { client_id: client.id, response_type: 'code', redirect_uri: sent };
  const page = await (await newVisitor(gatehouse)).open(authorizePath(params));
  expect(page.status).toBe(400);
  expect(textOf(page.html)).toContain('Web shop');
  expect(unescapeHtml(page.html)).toContain('https://evil.example/\ufffdcb?x=<b>&token=secret#yyy');
  expect(page.html).not.toContain('\u202e');
  expect(page.html).not.toContain('<b>');
  expect(page.html).not.toContain('y'.repeat(301));
  expect(page.html).not.toMatch(/href="[^"]*evil/);
  expect(page.html).toContain('href="/docs#redirect-uris"');
});

test('an unregistered redirect URI: the log has client and address, without the query', async () => {
  const client = await newClient();
  const redirect_uri = 'https://app.example/other?token=secret';
  const lines = await logged(async (base) => {
    const params = { client_id: client.id, response_type: 'code', redirect_uri };
    await (await fetch(base + authorizePath(params), { redirect: 'manual' })).text();
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'refused',
      reason: 'redirect_uri is not registered for this client.',
      clientId: client.id,
      redirectUri: 'https://app.example/other?…',
    }),
  );
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('introspection of another client’s token by a client that is no resource server is in the log', async () => {
  const owner = await newClient({ grants: ['client_credentials'] });
  const asker = await newClient();
  const grant = { grant_type: 'client_credentials', ...credentials(owner) };
  const { body } = await post(gatehouse, '/oauth/token', grant);
  const lines = await logged(async (base) => {
    const params = { token: String(body.access_token), ...credentials(asker) };
    const answer = await readAnswer(
      await fetch(`${base}/oauth/introspect`, {
        method: 'POST',
        body: new URLSearchParams(params),
      }),
    );
    expect(answer.body).toEqual({ active: false });
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'introspection answered inactive',
      clientId: asker.id,
      tokenOf: owner.id,
      reason: expect.stringContaining('--resource-server'),
    }),
  );
});

test.skipIf(gatehouse.mount === 'next').each(['/register', '/docs', '/', '/nothing'])(
  'a POST to %s is 404: as JSON to programs, as a page to browsers',
  async (path) => {
    const send = (accept: string) =>
      fetch(gatehouse.base + path, {
        method: 'POST',
        body: '{"redirect_uris":[]}',
        headers: { 'Content-Type': 'application/json', Accept: accept },
      });
    const program = await readAnswer(await send('application/json'));
    expect(program.status).toBe(404);
    expect(program.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('There is no endpoint at this address.'),
    });
    const browser = await send('text/html,*/*');
    expect(browser.status).toBe(404);
    expect(browser.headers.get('content-type')).toContain('text/html');
    await browser.text();
  },
);

test.skipIf(gatehouse.mount === 'next')(
  'the page for developers lists every endpoint and the options for library compatibility',
  async () => {
    const html = await (await fetch(`${gatehouse.base}/docs`)).text();
    const text = textOf(html.replaceAll('<wbr/>', '')).replaceAll(' /', '/');
    const metadata = await (
      await fetch(`${gatehouse.base}/.well-known/openid-configuration`)
    ).json();
    const endpoints = Object.entries(metadata as Record<string, unknown>)
      .filter(([name]) => name === 'issuer' || /_(endpoint|uri)$/.test(name))
      .filter(([name]) => !/service_documentation|op_/.test(name));
    expect(endpoints.length).toBeGreaterThan(7);
    for (const [name, address] of endpoints) expect(text, name).toContain(address);
    expect(text).toContain('/.well-known/openid-configuration');
    expect(text).toContain('/.well-known/oauth-authorization-server');
    for (const option of [
      '--no-iss',
      '--resource-server on',
      '--require-pkce off',
      '--redirect-uri',
    ])
      expect(text).toContain(option);
    expect(html).toContain('id="redirect-uris"');
  },
);

describe('the page of an error_uri (RFC 6749 section 5.2)', () => {
  const wrongSecret = async () => {
    const client = await newClient({ name: 'Web shop' });
    const sent = { grant_type: 'refresh_token', refresh_token: 'none', ...credentials(client) };
    const params = { ...sent, client_secret: 'guessed' };
    const { headers, body } = await post(gatehouse, '/oauth/token', params);
    const id = headers.get('x-request-id');
    const uri = new URL(String(body.error_uri));
    expect(uri.href).toBe(`${gatehouse.issuer}/docs/errors/invalid_client?request=${id}`);
    expect(uri.href).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    return { client, page: uri.pathname + uri.search };
  };
  const signedIn = async (username: string) => {
    const reader = new Person(gatehouse, username);
    await reader.signIn();
    return reader;
  };
  const shown = /a secret of 7 characters \(masked\)/;

  test.each(['admin', 'auditor'] as const)('shows the attempt to an %s', async (role) => {
    const { page } = await wrongSecret();
    const user = await newUser(role === 'admin' ? { isAdmin: true } : { role });
    const { html, status } = await (await signedIn(user.username)).open(page);
    expect(status).toBe(200);
    expect(textOf(html)).toContain('Wrong client secret');
    expect(textOf(html)).toMatch(shown);
    expect(html).toMatch(/href="\/admin\/traces\/[\w-]+"/);
  });

  test('shows the attempt to a developer contact of the app after sign-in, and to no other user', async () => {
    const { client, page } = await wrongSecret();
    const contact = await newUser();
    const other = await newUser();
    await addContact(client.id, contact.id, cli, new Date());
    await addContact((await newClient()).id, other.id, cli, new Date());
    const reader = new Person(gatehouse, contact.username);
    const way = /href="(\/login\?back=[^"]+)"/.exec((await reader.open(page)).html)?.[1] ?? '';
    const { at, html } = await reader.signInAt(await reader.open(unescapeHtml(way)));
    expect(at).toBe(page);
    expect(textOf(html)).toMatch(shown);
    expect(html).toContain(`href="/account/developer/${client.id}/`);
    const hidden = await (await signedIn(other.username)).open(page);
    expect(textOf(hidden.html)).not.toMatch(shown);
    expect(textOf(hidden.html)).toContain('to name you a developer contact');
  });

  test('says the same to outsiders and other users, whether the request id exists or not', async () => {
    const { page } = await wrongSecret();
    const invented = page.replace(/[0-9a-f-]{36}$/, 'ffffffff-ffff-4fff-bfff-ffffffffffff');
    for (const reader of [new Person(gatehouse), await signedIn((await newUser()).username)]) {
      const texts = [];
      for (const at of [page, invented])
        texts.push(textOf((await reader.open(at)).html).replace(/[0-9a-f-]{36}/g, 'ID'));
      expect(texts[0]).toBe(texts[1]);
      expect(texts[0]).toContain('Give them the request ID ID.');
      expect(texts[0]).not.toMatch(/Web shop|Wrong client secret|masked/);
    }
  });

  test('ignores a parameter that is no request id', async () => {
    const page = `/docs/errors/invalid_client?request=%22%3E%3Cb%3E${'a'.repeat(300)}`;
    const { status, html } = await new Person(gatehouse).open(page);
    expect(status).toBe(200);
    expect(html).not.toContain('aaaa');
    expect(textOf(html)).not.toContain('There is no such attempt');
  });

  test('without a request lists what to check, and does not refer to the server’s log', async () => {
    const { html } = await new Person(gatehouse).open('/docs/errors/invalid_grant');
    expect(html.match(/<li>/g)?.length).toBeGreaterThan(5);
    expect(textOf(html)).not.toContain('server’s log');
  });
});
