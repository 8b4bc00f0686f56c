import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { newUser } from '../support/seed.ts';

/** A directory that takes every connection and says nothing. */
const port = await freePort();
const held = new Set<Socket>();
let asked: () => void = () => {};
const silent = createServer((socket) => {
  held.add(socket);
  asked();
});
await new Promise<void>((done) => silent.listen(port, '127.0.0.1', done));
afterAll(() => {
  for (const socket of held) socket.destroy();
  silent.close();
});

const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-waits-')), 'directories.yaml');
writeFileSync(
  file,
  `directories:
  - id: corp
    name: Corp
    servers: [ldap://127.0.0.1:${port}]
    unencrypted: passwords can be read on the way
    people: { base: 'ou=people' }
    timeout: 4 s
`,
);
const server = await openServer({ DIRECTORIES_FILE: file });
const call = (line: string, sent?: Sent) => callApi(server, line, sent);
const key = await keyWith(['user:loosen', 'directory:loosen']);

test('API: a sync cannot be planned from its address, and says where its own plan is', async () => {
  const answer = await call('POST /directories/corp/sync?plan=true', { key, json: {} });
  expect([answer.status, answer.body.detail]).toEqual([
    422,
    expect.stringContaining('waits for another machine'),
  ]);
  expect(held.size).toBe(0);
});

test('API: while a planned link waits for a silent directory, people sign in', async () => {
  const { id } = await newUser();
  const reached = new Promise<void>((done) => {
    asked = done;
  });
  const json = { user: id, login: 'ada' };
  const linked = call('POST /directories/corp/link?plan=true', { key, json });
  await reached;
  await newPerson(server);
  expect((await linked).status).toBe(422);
});

test('API: a plan and an idempotent creation hash the password before their transaction', async () => {
  const username = `ann${Date.now()}`;
  const json = { username, email: `${username}@example.org`, password: 'correct horse battery' };
  const planned = await call('POST /users?plan=true', { key, json });
  expect(planned.body).toMatchObject({ plan: true, changes: [{ type: 'user.created' }] });
  const made = await call('POST /users', { key, json, headers: { 'Idempotency-Key': username } });
  expect(made.status).toBe(201);
  const reset = `POST /users/${made.body.id}/reset-password`;
  const again = await call(`${reset}?plan=true`, {
    key,
    json: { password: 'another horse battery' },
  });
  expect(again.body).toMatchObject({ plan: true, changes: [{ type: 'password.reset' }] });
  expect((await call(reset, { key, json: {} })).body.password).toMatch(/^(\w{5}-){3}\w{5}$/);
});

test('API: a plan, a conditional change and an idempotent creation draw the logo before their transaction', async () => {
  const apps = await keyWith(['client:loosen', 'branding:loosen']);
  const at = (line: string, json: unknown, headers = {}) =>
    call(line, { key: apps, json, headers });
  const logo = png(20, 20).toString('base64');
  const app = { name: 'Drawn', type: 'public', redirect_uris: ['https://d.example/cb'], logo };
  expect((await at('POST /clients?plan=true', app)).body).toMatchObject({ plan: true });
  const made = await at('POST /clients', app, { 'Idempotency-Key': 'drawn' });
  expect(made.status).toBe(201);
  const path = `/clients/${made.body.client_id}`;
  const etag = (await call(`GET ${path}`, { key: apps })).headers.get('etag') ?? '';
  expect((await at(`PATCH ${path}`, { logo }, { 'If-Match': etag })).status).toBe(200);
  for (const place of [`${path}/logo`, '/branding/logo'])
    expect((await at(`PUT ${place}?plan=true`, { logo })).body).toMatchObject({ plan: true });
  const icon = await at('PUT /branding/icon?plan=true', { icon: logo });
  expect(icon.body).toMatchObject({ plan: true });
});
