import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import { findProvider } from '#lib/store/providers.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { newGroup } from '../support/groups.ts';
import { openServer } from '../support/open-server.ts';
import { newProvider } from '../support/providers.ts';

const server = await openServer();
const keys = { read: '', write: '', loosen: '', groups: '' };
beforeAll(async () => {
  keys.read = await keyWith(['provider:read']);
  keys.write = await keyWith(['provider:write']);
  keys.loosen = await keyWith(['provider:loosen']);
  keys.groups = await keyWith(['provider:loosen', 'group:loosen']);
});

const call = (line: string, key: string, sent?: Sent) => callApi(server, line, { key, ...sent });
const slug = () => `api-${newId(new Date()).slice(-12)}`;
const made = () => ({
  kind: 'openid',
  slug: slug(),
  name: 'Example',
  issuer: 'https://idp.example.com',
  client_id: 'gatehouse',
  secret: 'a secret of the test',
});

test('reading providers needs provider:read, and no answer has the secret', async () => {
  const { id } = (await call('POST /providers', keys.loosen, { json: made() })).body;
  for (const line of ['GET /providers', `GET /providers/${id}`]) {
    const answer = await call(line, keys.read);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain('a secret of the test');
  }
  const none = await keyWith(['group:read']);
  expect((await call('GET /providers', none)).status).toBe(403);
});

test.each<[string, object]>([
  ['is switched on', { enabled: true }],
  ['signs people in', { may_sign_in: true }],
  ['registers people', { may_sign_in: true, may_register: true }],
  ['is for more domains', { domains: ['example.com', 'example.org'] }],
  ['is for everybody', { domains: [] }],
  ['is believed of its second factor', { trusts_second_factor: true }],
  ['is another one', { issuer: 'https://other.example.com', secret: 'another one' }],
  ['has another client', { client_id: 'another' }],
])('a change by which a provider %s needs provider:loosen, for a plan as well', async (_, json) => {
  const id = await newProvider({
    slug: slug(),
    enabled: false,
    maySignIn: false,
    domains: ['example.com'],
  });
  const line = `/providers/${id}`;
  const before = await findProvider(id);
  for (const path of [line, `${line}?plan=true`]) {
    expect((await call(`PATCH ${path}`, keys.read, { json })).status).toBe(403);
    const refused = await call(`PATCH ${path}`, keys.write, { json });
    expect([refused.status, JSON.stringify(refused.body)]).toMatchObject([
      403,
      expect.stringContaining('provider:loosen'),
    ]);
  }
  expect(await findProvider(id)).toEqual(before);
  expect((await call(`PATCH ${line}`, keys.loosen, { json })).status).toBe(200);
});

test('a change of a provider that only restricts it, and disabling it, need provider:write', async () => {
  const id = await newProvider({ slug: slug() });
  const json = { button_words: 'Go on', domains: ['example.com'], may_register: false };
  expect((await call(`PATCH /providers/${id}`, keys.write, { json })).status).toBe(200);
  expect((await call(`POST /providers/${id}/disable`, keys.write)).status).toBe(200);
  expect((await findProvider(id))?.enabled).toBe(false);
});

test('creating, enabling and deleting a provider need provider:loosen', async () => {
  const id = await newProvider({ slug: slug(), enabled: false });
  const lines: [string, Sent?][] = [
    ['POST /providers', { json: made() }],
    [`POST /providers/${id}/enable`],
    [`DELETE /providers/${id}`],
  ];
  for (const [line, sent] of lines) {
    for (const key of [keys.read, keys.write])
      expect((await call(line, key, sent)).status, line).toBe(403);
    expect((await call(line, keys.loosen, sent)).status, line).toBeLessThan(300);
  }
});

test('a claim of a provider that assigns groups needs group:loosen, too', async () => {
  const id = await newProvider({ slug: slug() });
  const groupId = await newGroup();
  const json = { groups_claim: 'roles', groups: [{ value: 'staff', group_id: groupId }] };
  expect((await call(`PATCH /providers/${id}`, keys.loosen, { json })).status).toBe(403);
  expect((await findProvider(id))?.groups).toEqual([]);
  expect((await call(`PATCH /providers/${id}`, keys.groups, { json })).status).toBe(200);
});
