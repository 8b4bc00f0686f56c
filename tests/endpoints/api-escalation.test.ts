import { beforeAll, expect, test } from 'vitest';
import { requireSecondFactor, setRole } from '#lib/management/user/users.ts';
import { storeLink } from '#lib/store/links.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { newApi } from '../support/apis.ts';
import { newDpopKey, proofOf } from '../support/dpop.ts';
import { newGroup } from '../support/groups.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newProvider } from '../support/providers.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { isOneProcess } from '../support/server.ts';
import { set } from '../support/settings.ts';
import { codeFor, named, tokenRequest } from '../support/target.ts';

/*
 * Ways in which a caller of the API could gain more rights than they were given. This file has its
 * own server, because a server's own API exists only once.
 */
const mail = { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@gatehouse.example' };
const server = await openServer({ ...mail, ...(isOneProcess ? {} : { WORKERS: '1' }) });
const call = (line: string, sent?: Sent) => callApi(server, line, sent);
const identifier = `${server.issuer}/api/v1`;
const actor = { id: 'cli' };
let client: TestClient;
let api: { id: string };

beforeAll(async () => {
  await set('REGISTRATION', 'invitation');
  client = await newClient({ grants: ['client_credentials', 'authorization_code'] });
  api = await newApi({
    identifier,
    access: 'listed',
    askedBy: [client.id],
    scopes: ['group:read', 'api:write'],
  });
});

/** A user, and their access token for the API. */
async function tokenOf(options: Parameters<typeof newUser>[0]) {
  const user = await newUser(options);
  const person = new Person(server, user.username);
  await person.signIn();
  const code = await codeFor(person, client, [['scope', 'group:read'], ...named(identifier)]);
  const answer = await tokenRequest(server, client, { grant_type: 'authorization_code', code });
  return { user, key: String(answer.body.access_token) };
}

test('a scope of this server’s own API needs api:loosen; api:write is not enough', async () => {
  const scopes = ['group:read', 'api:write', 'user:loosen'].map((name) => ({
    name,
    description: name,
  }));
  const line = `PATCH /apis/${api.id}`;
  const writes = await keyWith(['api:write']);
  expect(await call(line, { key: writes, json: { scopes } })).toMatchObject({ status: 403 });
  expect(await call(`${line}?plan=true`, { key: writes, json: { scopes } })).toMatchObject({
    status: 403,
  });
  const loosens = await keyWith(['api:loosen']);
  expect((await call(line, { key: loosens, json: { scopes } })).status).toBe(200);
});

test('the token of an app that is no longer listed for the API is refused', async () => {
  const loosens = await keyWith(['api:loosen']);
  const asked = { grant_type: 'client_credentials', resource: identifier, scope: 'group:read' };
  const token = String((await tokenRequest(server, client, asked)).body.access_token);
  const list = (what: 'add' | 'remove') =>
    call(`POST /apis/${api.id}/clients/${what}`, {
      key: loosens,
      json: { kind: 'asks', clients: [client.id] },
    });
  expect((await call('GET /groups', { key: token })).status).toBe(200);
  expect((await list('remove')).status).toBe(200);
  expect((await call('GET /groups', { key: token })).status).toBe(401);
  expect((await list('add')).status).toBe(200);
});

test('removing listed people needs only a write right, and does not reveal which other users exist', async () => {
  const ann = await newUser();
  const bob = await newUser();
  const id = await newGroup(ann);
  const app = await newClient({ access: 'listed' });
  const loosens = await keyWith(['group:loosen', 'client:loosen']);
  const writes = await keyWith(['group:write', 'client:write']);
  const named = { people: [ann.username] };
  const listed = await call(`POST /clients/${app.id}/access/allow`, { key: loosens, json: named });
  expect(listed.status).toBe(200);
  for (const line of [
    `POST /groups/${id}/members/remove`,
    `POST /clients/${app.id}/access/disallow`,
  ]) {
    const answers = [bob.username, bob.email, bob.id, 'nobody', 'x'.repeat(300)].map(
      async (one) => {
        const { status, body } = await call(line, { key: writes, json: { people: [one] } });
        return `${status} ${body.detail}`;
      },
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set([expect.stringMatching(/^403 /)]));
    const both = { key: writes, json: { people: [ann.id, bob.id] } };
    expect((await call(line, both)).status).toBe(403);
    // A caller who may loosen access gets the real answers.
    expect((await call(line, { ...both, key: loosens })).status).toBe(200);
    expect((await call(line, { key: loosens, json: { people: ['nobody'] } })).status).toBe(422);
  }
  for (const groups of [['none'], [id]]) {
    const sent = { key: writes, json: { groups } };
    expect((await call(`POST /clients/${app.id}/access/disallow`, sent)).status).toBe(403);
  }
  await call(`POST /clients/${app.id}/access/allow`, {
    key: loosens,
    json: { ...named, groups: [id] },
  });
  const gone = await call(`POST /clients/${app.id}/access/disallow`, {
    key: writes,
    json: { people: [ann.email], groups: [id] },
  });
  expect(gone).toMatchObject({ status: 200, body: { allowed_users: [], allowed_groups: [] } });
});

test('a token issued before a role was given does not have the role, and is refused', async () => {
  const { user, key } = await tokenOf({});
  expect((await call('GET /groups', { key })).status).toBe(403);
  await setRole(user.id, 'admin', actor, new Date());
  expect((await call('GET /groups', { key })).status).toBe(401);
});

test('a token of a password sign-in is refused while REQUIRE_SECOND_FACTOR covers the user’s role', async () => {
  const { key } = await tokenOf({ role: 'auditor' });
  expect((await call('GET /groups', { key })).status).toBe(200);
  await set('REQUIRE_SECOND_FACTOR', 'admins');
  try {
    expect((await call('GET /groups', { key })).status).toBe(401);
  } finally {
    await set('REQUIRE_SECOND_FACTOR', null);
  }
  expect((await call('GET /groups', { key })).status).toBe(200);
});

test('a token of a password sign-in is refused once the user is required to use a second factor', async () => {
  const { user, key } = await tokenOf({ role: 'auditor' });
  const { key: other } = await tokenOf({ role: 'auditor' });
  await requireSecondFactor(user.id, true, actor, new Date());
  expect((await call('GET /groups', { key })).status).toBe(401);
  expect((await call('GET /groups', { key: other })).status).toBe(200);
});

test('a DPoP-bound token is refused without a proof for this call (RFC 9449 section 7)', async () => {
  const key = await newDpopKey();
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    resource: identifier,
    scope: 'group:read',
  });
  const issued = await fetch(`${server.base}/oauth/token`, {
    method: 'POST',
    headers: { DPoP: await proofOf(key, { url: `${server.issuer}/oauth/token` }) },
    body: form,
  });
  const token = String((await issued.json()).access_token);
  const group = await newGroup();
  const url = `${identifier}/groups/${group}`;
  const proof = (about: { method?: string; url: string }, by = key) =>
    proofOf(by, { method: 'GET', token, ...about });
  const send = (headers: Record<string, string>) => call(`GET /groups/${group}`, { headers });
  const bound = { Authorization: `DPoP ${token}` };
  const refused = [
    { Authorization: `Bearer ${token}` },
    bound,
    { ...bound, DPoP: await proof({ url: `${identifier}/groups/another` }) },
    { ...bound, DPoP: await proof({ url, method: 'DELETE' }) },
    { ...bound, DPoP: await proof({ url }, await newDpopKey()) },
  ];
  for (const headers of refused) {
    const answer = await send(headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^DPoP /),
    ]);
  }
  const good = { ...bound, DPoP: await proof({ url }) };
  expect((await call(`GET /groups/${group}`, { headers: good })).status).toBe(200);
  expect((await call(`GET /groups/${group}`, { headers: good })).status).toBe(401);
  const plain = { grant_type: 'client_credentials', resource: identifier, scope: 'group:read' };
  const unbound = String((await tokenRequest(server, client, plain)).body.access_token);
  const asBound = { Authorization: `DPoP ${unbound}`, DPoP: await proof({ url }) };
  expect((await call(`GET /groups/${group}`, { headers: asBound })).status).toBe(401);
});

test('the fix of an attempt needs client:loosen', async () => {
  const key = await keyWith(['attempt:loosen']);
  const json = { request: 'any', place: 'evil.example' };
  const answer = await call('POST /attempts/any/fix', { key, json });
  expect(answer).toMatchObject({
    status: 403,
    body: { detail: expect.stringMatching(/client:loosen/) },
  });
});

test('an invitation or account with groups needs group:loosen', async () => {
  const made = await call('POST /groups', {
    key: await keyWith(['group:write']),
    json: { name: `into-${Math.random()}` },
  });
  const groups = [made.body.id];
  const key = await keyWith(['invitation:loosen', 'user:read', 'user:loosen']);
  const email = `${Math.random().toString(36).slice(2)}@example.org`;
  for (const line of ['POST /invitations', 'POST /users', 'POST /users?plan=true'])
    expect(await call(line, { key, json: { email, username: 'mallory', groups } })).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/group:loosen/) },
    });
  const both = await keyWith(['user:loosen', 'group:loosen']);
  const json = { email, username: `m${email.slice(0, 8)}`, groups };
  expect((await call('POST /users', { key: both, json })).status).toBe(201);
});

test('resending an invitation or inviting a list with groups needs group:loosen, too', async () => {
  const group = await newGroup();
  const all = await keyWith(['invitation:loosen', 'user:read', 'group:loosen', 'batch:loosen']);
  const key = await keyWith(['invitation:loosen', 'batch:loosen', 'user:read']);
  const email = () => `${Math.random().toString(36).slice(2)}@example.org`;
  const refused = { status: 403, body: { detail: expect.stringMatching(/group:loosen/) } };
  const invited = await call('POST /invitations', {
    key: all,
    json: { email: email(), groups: [group] },
  });
  const again = `POST /invitations/${invited.body.id}/resend`;
  expect(await call(again, { key, json: {} })).toMatchObject(refused);
  const many = { operation: 'resend-invitation', ids: [invited.body.id] };
  expect(await call('POST /batches', { key, json: many })).toMatchObject(refused);
  // However many invitations were made later.
  await makeLaterInvitations(501);
  expect(await call('POST /batches', { key, json: many })).toMatchObject(refused);
  const plain = await call('POST /invitations', { key, json: { email: email() } });
  expect((await call(`POST /invitations/${plain.body.id}/resend`, { key, json: {} })).status).toBe(
    200,
  );
  const list = `email,groups\n${email()},${group}`;
  const read = await call('POST /invitation-lists', { key, json: { list } });
  const start = `POST /invitation-lists/${read.body.id}/invite`;
  expect(await call(start, { key, json: {} })).toMatchObject(refused);
  expect((await call(start, { key: all, json: {} })).status).toBe(200);
  expect((await call(again, { key: all, json: {} })).status).toBe(200);
});

test('inviting tells who has an account, so it needs user:read, too, as does reading a list of people', async () => {
  const { email } = await newUser();
  const blind = await keyWith(['invitation:loosen']);
  const refused = { status: 403, body: { detail: expect.stringContaining('user:read') } };
  const json = { list: email };
  expect(await call('POST /invitation-lists', { key: blind, json })).toMatchObject(refused);
  for (const to of [email, `nobody-${email}`])
    for (const line of ['POST /invitations', 'POST /invitations?plan=true'])
      expect(await call(line, { key: blind, json: { email: to } })).toMatchObject(refused);
  expect((await call('GET /invitations', { key: blind })).status).toBe(200);
  const seeing = await keyWith(['invitation:write', 'user:read']);
  const read = await call('POST /invitation-lists', { key: seeing, json });
  expect(read.body).toMatchObject({ here: 1 });
  const shown = `GET /invitation-lists/${read.body.id}`;
  expect(await call(shown, { key: blind })).toMatchObject(refused);
});

test('inviting again tells who has got an account meanwhile, so it needs user:read, too, also of many', async () => {
  const blind = await keyWith(['invitation:loosen', 'invitation:read', 'batch:loosen']);
  const seeing = await keyWith(['invitation:loosen', 'user:read']);
  const json = { email: `${Math.random().toString(36).slice(2)}@example.org` };
  const { id } = (await call('POST /invitations', { key: seeing, json })).body;
  const refused = { status: 403, body: { detail: expect.stringContaining('user:read') } };
  const again = `POST /invitations/${id}/resend`;
  for (const line of [again, `${again}?plan=true`])
    expect(await call(line, { key: blind, json: {} })).toMatchObject(refused);
  const many = { operation: 'resend-invitation', ids: [id] };
  expect(await call('POST /batches', { key: blind, json: many })).toMatchObject(refused);
  expect((await call(again, { key: seeing, json: {} })).status).toBe(200);
});

/** Invitations that add to no group. */
async function makeLaterInvitations(count: number): Promise<void> {
  const expiresAt = new Date(Date.now() + 3600_000);
  const nothing = { userId: null, basis: null, groups: [], invitee: {}, flow: null, madeBy: null };
  for (let each = 0; each < count; each += 1) {
    const hash = `later-${each}-${Math.random()}`;
    const said = { hash, purpose: 'invite', email: `${hash}@example.org`, expiresAt } as const;
    await storeLink({ ...nothing, ...said }, new Date());
  }
}

test('changing the client of a provider that assigns groups, or enabling it, needs group:loosen, too', async () => {
  const group = await newGroup();
  const id = await newProvider({
    groupsClaim: 'roles',
    groups: [{ value: 'boss', groupId: group }],
  });
  const key = await keyWith(['provider:loosen']);
  const json = { client_id: 'another' };
  const refused = { status: 403, body: { detail: expect.stringMatching(/group:loosen/) } };
  expect(await call(`PATCH /providers/${id}`, { key, json })).toMatchObject(refused);
  const both = await keyWith(['provider:loosen', 'group:loosen']);
  expect((await call(`PATCH /providers/${id}`, { key: both, json })).status).toBe(200);
  expect((await call(`PATCH /providers/${id}`, { key, json: { name: 'Ours' } })).status).toBe(200);
  expect((await call(`POST /providers/${id}/disable`, { key, json: {} })).status).toBe(200);
  expect(await call(`POST /providers/${id}/enable`, { key, json: {} })).toMatchObject(refused);
});

test('a path with a trailing slash is 404: some programs resolve “..” to one', async () => {
  const key = await keyWith(['client:loosen']);
  const { id } = await newClient();
  expect((await call(`DELETE /clients/${id}/`, { key })).status).toBe(404);
  expect((await call(`GET /clients/${id}`, { key })).status).toBe(200);
});

test('an API key used from a wrong network counts towards the limit of failures', async () => {
  const key = await keyWith(['group:read'], { networks: ['192.0.2.0/28'] });
  const headers = { 'X-Forwarded-For': '198.51.100.77' };
  const answers = await Promise.all(
    Array.from({ length: 110 }, () => call('GET /groups', { key, headers })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
});

test('plans that hash passwords do not block other writes, and too many plans at a time are 503', async () => {
  const { id } = await newUser();
  const key = await keyWith(['user:loosen', 'group:write']);
  const plans = Array.from({ length: 12 }, () =>
    call(`POST /users/${id}/reset-password?plan=true`, { key, json: {} }),
  );
  const name = `turn-${Math.random().toString(36).slice(2)}`;
  expect((await call('POST /groups', { key, json: { name } })).status).toBe(201);
  const statuses = (await Promise.all(plans)).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  const many = await Promise.all(
    Array.from({ length: 60 }, () => call('POST /groups?plan=true', { key, json: { name } })),
  );
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([409, 503]));
});
