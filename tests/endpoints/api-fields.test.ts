import { expect, test } from 'vitest';
import { apiRights } from '#lib/management/api-key/rights.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { png } from '../support/pictures.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();
const nouns = ['api', 'branding', 'field', 'group', 'scope', 'setting'];
const key = await keyWith(nouns.map((noun) => `${noun}:loosen`));
const call = (line: string, sent?: Sent) => callApi(server, line, { key, ...sent });

const apiOf = (more: object) => ({
  identifier: `https://${unique('api')}.example/`,
  name: 'Files',
  ...more,
});
const openid = {
  kind: 'openid',
  name: 'Example',
  client_id: 'gatehouse',
  issuer: 'https://idp.example.com',
};
const open = await newClient({ type: 'public' });

test.each<[string, object, string[]]>([
  [
    'PATCH /branding',
    { support_link: 'x', footer_links: [{ label: '', href: 'y' }] },
    ['support_link', 'footer_links'],
  ],
  ['PUT /settings/code_ttl', { value: 'soon' }, ['value']],
  ['PUT /settings/code_ttl', {}, ['value']],
  ['PATCH /settings', { changes: [{ name: 'code_ttl', value: -5 }] }, ['changes']],
  [
    'PATCH /settings',
    { changes: [{ name: 'code_ttl', val: 1 }] },
    ['changes[0].value', 'changes[0].val'],
  ],
  ['POST /apis', apiOf({ token_format: 'jwt', access_token_ttl: 999_999 }), ['access_token_ttl']],
  ['POST /apis', apiOf({ clients: ['nobody'] }), ['clients']],
  ['POST /apis', apiOf({ served_by: [open.id] }), ['served_by']],
  ['POST /apis', apiOf({ scopes: [{ name: 'a"', description: 'x' }] }), ['scopes']],
  [
    'POST /scopes',
    { name: unique('scope'), description: 'x', descriptions: { xx: 'y' } },
    ['descriptions'],
  ],
  ['POST /fields', { name: unique('field'), label: '' }, ['label']],
])('the errors of %s with %j name the field as in the JSON', async (line, json, fields) => {
  const answer = await call(line, { json });
  expect(answer.status, answer.body.text as string).toBe(422);
  const { errors } = answer.body as { errors: { field: string; detail: string }[] };
  expect(errors.map(({ field }) => field)).toEqual(fields);
});

test.each([
  ['/groups', 'name', { name: unique('Group') }],
  ['/apis', 'identifier', { identifier: `https://${unique('api')}.example/`, name: 'Files' }],
  ['/providers', 'slug', { ...openid, slug: unique('at').toLowerCase() }],
])('%s is filtered by exactly its %s', async (path, name, json) => {
  const key = await keyWith(apiRights);
  const made = await call(`POST ${path}`, { key, json });
  expect(made.status).toBe(201);
  const value = String((json as Record<string, unknown>)[name]);
  const found = async (text: string) =>
    (await call(`GET ${path}?${name}=${encodeURIComponent(text)}`, { key })).body.items;
  expect(await found(value)).toMatchObject([{ id: made.body.id }]);
  expect(await found(value.slice(0, -2))).toEqual([]);
});

test('an API gets its lists by PATCH as by POST; a client added needs api:loosen', async () => {
  const key = await keyWith(['api:loosen']);
  const writes = await keyWith(['api:write']);
  const one = await newClient();
  const other = await newClient();
  const json = { identifier: `https://${unique('api')}.example/`, name: 'Files' };
  const { id } = (await call('POST /apis', { key, json: { ...json, served_by: [one.id] } })).body;
  const patch = (by: string, change: object) =>
    call(`PATCH /apis/${id}`, { key: by, json: change });
  const lists = { served_by: [other.id], clients: [one.id], name: 'Both' };
  expect((await patch(writes, lists)).status).toBe(403);
  const unknown = await patch(key, { ...lists, served_by: ['none'] });
  expect(unknown.body.errors).toMatchObject([{ field: 'served_by' }]);
  expect((await call(`GET /apis/${id}`, { key })).body).toMatchObject({
    name: 'Files',
    served_by: [one.id],
    clients: [],
  });
  expect((await patch(key, lists)).body).toMatchObject(lists);
  expect((await patch(key, { name: 'Again' })).body).toMatchObject({ ...lists, name: 'Again' });
  const fewer = await patch(writes, { served_by: [], clients: [] });
  expect(fewer.body).toMatchObject({ served_by: [], clients: [] });
});

test('an unknown setting is an error of the field changes in PATCH, and 404 in PUT', async () => {
  const changes = [{ name: 'no_such', value: 1 }];
  const answer = await call('PATCH /settings', { json: { changes } });
  expect([answer.status, answer.body.errors]).toMatchObject([422, [{ field: 'changes' }]]);
  expect((await call('PUT /settings/no_such', { json: { value: 1 } })).status).toBe(404);
});

test('a ?plan that is neither true nor false is refused, whatever the If-Match', async () => {
  const headers = { 'If-Match': '"1"' };
  const answer = await call('PATCH /branding?plan=maybe', { json: {}, headers });
  expect([answer.status, answer.body.errors]).toMatchObject([422, [{ field: 'plan' }]]);
});

test('an unknown name in a list is an error of the list; an unknown list is 404', async () => {
  const group = (await call('POST /groups', { json: { name: unique('group') } })).body;
  const people = { json: { people: ['nobody at all'] } };
  const unknown = await call(`POST /groups/${group.id}/members/add`, people);
  expect([unknown.status, unknown.body.errors]).toMatchObject([422, [{ field: 'people' }]]);
  const nowhere = await call('POST /groups/none/members/add', people);
  expect([nowhere.status, nowhere.body.errors]).toEqual([404, undefined]);
  const api = (await call('POST /apis', { json: apiOf({}) })).body;
  const listing = { json: { kind: 'asks', clients: ['nobody'] } };
  const unlisted = await call(`POST /apis/${api.id}/clients/add`, listing);
  expect([unlisted.status, unlisted.body.errors]).toMatchObject([422, [{ field: 'clients' }]]);
});

test('a change of the look needs the current ETag', async () => {
  const etag = (await call('GET /branding')).headers.get('etag') ?? '';
  const change = (json: object) => call('PATCH /branding', { json, headers: { 'If-Match': etag } });
  const first = await change({ accent: '#0b6354' });
  expect([first.status, first.body]).toMatchObject([200, { accent: '#0b6354' }]);
  const late = await change({ accent: '#0b6355' });
  expect([late.status, late.headers.get('etag')]).toEqual([412, first.headers.get('etag')]);
  expect((await call('PATCH /branding', { json: { accent: null } })).status).toBe(200);
});

test('the logo of the server is set and removed with branding:loosen, and must be a picture', async () => {
  const at = '/branding/logo';
  const logo = png(64, 64).toString('base64');
  const set = await call(`PUT ${at}`, { json: { logo } });
  expect([set.status, set.body]).toMatchObject([200, { logo: expect.any(String) }]);
  expect((await call('GET /branding')).body.logo).toBe(set.body.logo);
  for (const wrong of ['bm9uZQ==', 'no base64', null]) {
    const answer = await call(`PUT ${at}`, { json: { logo: wrong } });
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ field: 'logo' }]]);
  }
  const writes = await keyWith(['branding:write']);
  for (const line of [`PUT ${at}`, `DELETE ${at}`]) {
    const sent = line.startsWith('PUT') ? { json: { logo } } : {};
    expect((await callApi(server, line, { ...sent, key: writes })).status).toBe(403);
  }
  expect((await call(`DELETE ${at}`)).body).toMatchObject({ logo: null });
});

test('a setting is set only with its current ETag', async () => {
  const at = '/settings/TRACE_RETENTION_DAYS';
  const etag = (await call(`GET ${at}`)).headers.get('etag') ?? '';
  const set = (value: unknown) =>
    call(`PUT ${at}`, { json: { value }, headers: { 'If-Match': etag } });
  expect((await set(20)).status).toBe(200);
  expect((await set(21)).status).toBe(412);
  expect((await call(`PUT ${at}`, { json: { value: null } })).body).toMatchObject({
    source: 'default',
  });
});
