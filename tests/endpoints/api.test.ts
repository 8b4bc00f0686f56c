import { beforeAll, describe, expect, test } from 'vitest';
import { listIn } from '#lib/endpoints/api/lists.ts';
import { operations } from '#lib/endpoints/api/operations.ts';
import { listApiKeys } from '#lib/management/api-key/keys.ts';
import { apiRights } from '#lib/management/api-key/rights.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { disableUser, setRole } from '#lib/management/user/users.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { newApi } from '../support/apis.ts';
import { allAlikeOn } from '../support/on-each-database.ts';
import { databaseOf, openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';
import { codeFor, named, tokenRequest } from '../support/target.ts';

const server = await openServer();
const allAlike = allAlikeOn(databaseOf(server.databaseUrl));
const call = (line: string, sent?: Sent) => callApi(server, line, sent);
const all = await keyWith(['group:loosen', 'api-key:loosen']);
const newGroup = async (name = unique('group')) =>
  (await call('POST /groups', { key: all, json: { name } })).body as Group;
type Group = { id: string; name: string };
const problem = (status: number, detail: unknown = expect.any(String)) => ({
  status,
  body: { status, detail, title: expect.any(String), request_id: expect.any(String) },
});

async function signedIn(options: Parameters<typeof newUser>[0]): Promise<Person> {
  const person = new Person(server, (await newUser(options)).username);
  await person.signIn();
  return person;
}

describe('a resource of the API', () => {
  test('is created, shown, listed, changed and deleted, each answer with its fields', async () => {
    const name = unique('group');
    const made = await call('POST /groups', { key: all, json: { name, description: 'x' } });
    expect([made.status, made.body]).toMatchObject([201, { name, description: 'x' }]);
    const { id } = made.body as Group;
    expect(made.headers.get('location')).toBe(`${server.issuer}/api/v1/groups/${id}`);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const shown = await call(`GET /groups/${id}`, { key: all });
    expect(shown.body).toEqual({ ...made.body, apps: 0, member_count: 0 });
    const { body: listed } = await call(`GET /groups?q=${name}&empty=true`, { key: all });
    expect(listed).toMatchObject({ groups: [{ id, name }], next: null });
    const changed = await call(`PATCH /groups/${id}`, { key: all, json: { description: null } });
    expect([changed.status, changed.body]).toMatchObject([200, { id, name, description: null }]);
    const gone = await call(`DELETE /groups/${id}`, { key: all });
    expect([gone.status, gone.body]).toMatchObject([200, { id, deleted: true }]);
    expect(await call(`GET /groups/${id}`, { key: all })).toMatchObject(problem(404));
  });

  test('a list continues by its cursor and by the Link header', async () => {
    const word = unique('page');
    for (const each of [1, 2, 3]) await newGroup(`${word}-${each}`);
    const first = await call(`GET /groups?q=${word}&limit=2`, { key: all });
    const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(link.startsWith(`${server.issuer}/api/v1/groups?q=${word}&limit=2&cursor=`)).toBe(true);
    const second = await call(`GET ${link.slice(`${server.issuer}/api/v1`.length)}`, { key: all });
    const names = [first, second].flatMap(({ body }) =>
      (body.groups as Group[]).map((g) => g.name),
    );
    expect(names).toEqual([1, 2, 3].map((each) => `${word}-${each}`));
    expect([second.body.next, second.headers.get('link')]).toEqual([null, null]);
  });

  test('each change is in the audit log under the name of the API key', async () => {
    const name = unique('auditing key');
    const key = await keyWith(['group:write'], { name });
    const answer = await call('POST /groups', { key, json: { name: unique('group') } });
    const { rows } = await listAudit({ actor: `key:${name}` });
    expect(rows).toMatchObject([
      { type: 'group.created', requestId: answer.headers.get('x-request-id') },
    ]);
  });
});

// draft-ietf-httpapi-ratelimit-headers-10.
test('each answer and each refusal tells a known caller how many calls are left', async () => {
  const key = await keyWith(['group:read']);
  const lines = ['GET /groups', 'GET /groups/none', 'POST /groups', 'GET /users'];
  const answers = [];
  for (const line of lines) answers.push(await call(line, { key, json: undefined }));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 403]);
  for (const [at, { headers }] of answers.entries()) {
    expect(headers.get('ratelimit-policy')).toBe('"calls";q=6000;w=900');
    const [, left, seconds] =
      /^"calls";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(Number(left)).toBe(5999 - at);
    expect(Number(seconds)).toBeGreaterThan(800);
    expect(Number(seconds)).toBeLessThanOrEqual(900);
  }
  expect((await call('GET /groups')).headers.get('ratelimit')).toBeNull();
});

test('every list has its rows in items, and null in next at its end', async () => {
  const key = await keyWith(apiRights.filter((right) => right.endsWith(':read')));
  const lists = operations.filter(
    ({ method, act, template }) =>
      method === 'GET' && listIn(act) !== null && !template.includes('{'),
  );
  expect(lists.length).toBeGreaterThan(15);
  for (const { template, act } of lists) {
    const { body } = await call(`GET ${template}`, { key });
    expect([template, body]).toEqual([
      template,
      expect.objectContaining({
        items: body[listIn(act) ?? ''],
        // Other tests leave more attempts than a page has.
        next: template === '/attempts' ? expect.toBeOneOf([null, expect.any(String)]) : null,
      }),
    ]);
    expect(body.items).toEqual(expect.any(Array));
  }
});

describe('authentication of API calls', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['nobody', {}, /^Bearer realm="Gatehouse"$/],
    ['a key that is none', { Authorization: `Bearer gh_ak_${'x'.repeat(43)}` }, /invalid_token/],
    ['a token that is none', { Authorization: 'Bearer none' }, /invalid_token/],
    ['a cookie alone', { Cookie: 'gh_session=x' }, /^Bearer realm="Gatehouse"$/],
  ])('%s: 401 with a challenge', async (_, headers, challenge) => {
    const answer = await call('GET /groups', { headers });
    expect(answer).toMatchObject(problem(401));
    expect(answer.headers.get('www-authenticate')).toMatch(challenge);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  test('Basic credentials and a key in the query are ignored', async () => {
    const basic = `Basic ${Buffer.from(`x:${all}`).toString('base64')}`;
    for (const answer of [
      await call('GET /groups', { headers: { Authorization: basic } }),
      await call(`GET /groups?access_token=${all}`),
      await call('GET /groups'),
    ])
      expect(answer.body).toMatchObject({
        status: 401,
        detail: expect.stringMatching(/^No API key was sent\. .*Authorization: Bearer KEY/),
      });
    const twice = `Bearer ${all}, Bearer ${all}`;
    expect((await call('GET /groups', { headers: { Authorization: twice } })).status).toBe(400);
  });

  test('the session cookie of an admin gives no access to the API', async () => {
    const person = await signedIn({ isAdmin: true });
    expect((await person.request('/admin/groups')).status).toBe(200);
    const answer = await person.request('/api/v1/groups');
    expect(answer.status).toBe(401);
  });

  test.each([
    ['GET /groups', [], 403],
    ['GET /groups', ['api-key:loosen'], 403],
    ['GET /groups', ['group:read'], 200],
    ['POST /groups', ['group:read'], 403],
    ['POST /groups', ['group:write'], 422],
    ['DELETE /groups/none', ['group:write'], 403],
    ['DELETE /groups/none', ['group:loosen'], 404],
    ['GET /api-keys', ['group:loosen'], 403],
  ])('%s with the rights %j is %i', async (line, rights, status) => {
    const key = await keyWith([...rights, 'api-key:read'].slice(0, Math.max(1, rights.length)));
    const answer = await call(line, { key, ...(line.startsWith('POST') ? { json: {} } : {}) });
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  test('renaming a group needs group:loosen', async () => {
    const { id } = await newGroup();
    const key = await keyWith(['group:write']);
    const rename = { json: { name: unique('renamed') } };
    expect(await call(`PATCH /groups/${id}`, { key, ...rename })).toMatchObject(
      problem(403, 'This needs the right group:loosen.'),
    );
    expect((await call(`PATCH /groups/${id}`, { key, json: { description: 'x' } })).status).toBe(
      200,
    );
    expect((await call(`PATCH /groups/${id}`, { key: all, ...rename })).status).toBe(200);
  });

  test('an API key has at most its maker’s present rights, and none while the maker is disabled', async () => {
    const maker = await newUser({ isAdmin: true });
    const by = { id: 'cli' };
    const key = await keyWith(['group:loosen'], { by: { id: maker.id } });
    const statuses = async () => [
      (await call('GET /groups', { key })).status,
      (await call('POST /groups', { key, json: { name: unique('group') } })).status,
    ];
    expect(await statuses()).toEqual([200, 201]);
    await setRole(maker.id, 'auditor', by, new Date());
    expect(await statuses()).toEqual([200, 403]);
    await setRole(maker.id, 'support', by, new Date());
    expect(await statuses()).toEqual([403, 403]);
    await setRole(maker.id, 'none', by, new Date());
    expect(await statuses()).toEqual([401, 401]);
    await setRole(maker.id, 'admin', by, new Date());
    await disableUser(maker.id, by, new Date());
    expect(await statuses()).toEqual([401, 401]);
  });

  test('an API key works only from its networks', async () => {
    const key = await keyWith(['group:read'], { networks: ['192.0.2.0/24'] });
    const from = (address: string) =>
      call('GET /groups', { key, headers: { 'X-Forwarded-For': address } });
    // Behind `next start` callers cannot be told apart.
    expect((await from('192.0.2.7')).status).toBe(server.mount === 'next' ? 403 : 200);
    expect((await from('198.51.100.7')).status).toBe(403);
  });

  test('an API key cannot create API keys', async () => {
    const json = { name: 'mine', rights: ['group:loosen'] };
    const answer = await call('POST /api-keys', { key: all, json });
    expect(answer).toMatchObject(problem(405));
    expect((await listApiKeys()).map(({ name }) => name)).not.toContain('mine');
  });
});

describe('an access token for the API of this server', () => {
  const identifier = `${server.issuer}/api/v1`;
  let client: TestClient;
  let other: { identifier: string };
  beforeAll(async () => {
    client = await newClient({ grants: ['client_credentials', 'authorization_code'] });
    await newApi({
      identifier,
      access: 'listed',
      askedBy: [client.id],
      scopes: ['group:read', 'group:write'],
    });
    other = await newApi({ scopes: ['group:read'] });
  });
  const forItself = async (scope: string, ...resources: string[]) => {
    const answer = await tokenRequest(
      ...([
        server,
        client,
        { grant_type: 'client_credentials', scope },
        named(...resources),
      ] as const),
    );
    return String(answer.body.access_token);
  };

  test('of an app has the rights that its scopes name', async () => {
    const key = await forItself('group:read', identifier);
    expect((await call('GET /groups', { key })).status).toBe(200);
    expect((await call('POST /groups', { key, json: { name: 'x' } })).status).toBe(403);
    const writes = await forItself('group:write', identifier);
    const made = await call('POST /groups', { key: writes, json: { name: unique('group') } });
    expect(made.status).toBe(201);
    const { rows } = await listAudit({ actor: `client:${client.id}` });
    expect(rows.map(({ type }) => type)).toEqual(['group.created']);
  });

  test.each([
    ['for another API with the same scope', () => forItself('group:read', other.identifier)],
    ['for two of which one is this', () => forItself('group:read', other.identifier, identifier)],
    ['for none in particular', () => forItself('profile')],
  ])('%s is refused (401)', async (_, token) => {
    expect(await call('GET /groups', { key: await token() })).toMatchObject(problem(401));
  });

  test('of a user has the rights that both its scopes and the user’s role give', async () => {
    const tokenOf = async (options: Parameters<typeof newUser>[0]) => {
      const person = await signedIn(options);
      const code = await codeFor(person, client, [['scope', 'group:write'], ...named(identifier)]);
      const answer = await tokenRequest(server, client, { grant_type: 'authorization_code', code });
      return String(answer.body.access_token);
    };
    const make = { json: { name: unique('group') } };
    const auditor = await tokenOf({ role: 'auditor' });
    expect((await call('GET /groups', { key: auditor })).status).toBe(200);
    expect((await call('POST /groups', { key: auditor, ...make })).status).toBe(403);
    const member = await tokenOf({});
    expect((await call('GET /groups', { key: member })).status).toBe(403);
    const admin = await tokenOf({ isAdmin: true });
    expect((await call('POST /groups', { key: admin, ...make })).status).toBe(201);
  });
});

allAlike('the body and address of an API call', () => {
  test.each<[string, Sent, number, RegExp]>([
    ['no JSON', { body: '{' }, 400, /not valid JSON/],
    ['no object', { body: '[]' }, 400, /one JSON object/],
    ['a name twice', { body: '{"name":"a","name":"b"}' }, 400, /twice/],
    ['a name twice below', { body: '{"name":{"a":1,"\\u0061":2}}' }, 400, /twice/],
    ['too deep', { body: `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}` }, 400, /deep/],
    ['a NUL', { body: '{"name":"a\\u0000"}' }, 400, /not text/],
    ['half a character', { body: '{"name":"\\ud800"}' }, 400, /not text/],
    ['too much', { body: JSON.stringify({ name: 'x'.repeat(70_000) }) }, 413, /larger/],
    [
      'a form',
      { body: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      415,
      /application\/json/,
    ],
    [
      'another encoding',
      { body: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
      415,
      /UTF-8/,
    ],
    ['nothing', { json: {} }, 422, /name is missing/],
    ['another kind', { json: { name: 7 } }, 422, /is 7, and has to be a string/],
    ['what nobody asked for', { json: { name: 'x', id: 'mine' } }, 422, /Unknown field/],
    ['the prototype', { body: '{"name":"x","__proto__":{"a":1}}' }, 422, /Unknown field/],
  ])('the body is refused, and nothing is created: %s', async (_, sent, status, words) => {
    const named = async () => (await call('GET /groups?q=x&limit=500', { key: all })).body.groups;
    const before = await named();
    const answer = await call('POST /groups', { key: all, ...sent });
    expect(answer).toMatchObject(problem(status, expect.stringMatching(words)));
    expect(await named()).toEqual(before);
  });

  test('a missing field is named in errors', async () => {
    const { body } = await call('POST /groups', { key: all, json: {} });
    expect(body.errors).toEqual([{ field: 'name', detail: 'name is missing.' }]);
  });

  test('a key sent as a parameter is not repeated in the error', async () => {
    const answer = await call(`GET /groups?limit=${all}`, { key: all });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain(all.slice(6, 30));
  });

  test('each faulty field is named', async () => {
    const answer = await call('POST /groups', { key: all, json: { name: 1, description: 2 } });
    expect(answer.body.errors).toMatchObject([{ field: 'name' }, { field: 'description' }]);
  });

  test.each([
    ['GET /groups?limit=0', 422],
    ['GET /groups?limit=x', 422],
    ['GET /groups?cursor=x', 422],
    ['GET /groups?colour=red', 422],
    ['GET /groups?q=a&q=b', 422],
    ['GET /groups?q=%ff', 400],
    [`GET /groups/${'x'.repeat(501)}`, 404],
    ['GET /groups/a%2Fb', 404],
    ['DELETE /groups/x?force=true', 422],
    ['DELETE /groups/x?plan=maybe', 422],
    ['GET /nothing', 404],
    ['GET ', 404],
    ['GET /groups/x/members/y/z', 404],
  ])('%s is %i', async (line, status) => {
    expect(await call(line, { key: all })).toMatchObject(problem(status));
  });

  test.skipIf(server.mount === 'next')('a path with an encoded NUL is 400', async () => {
    expect(await call('GET /groups/%00', { key: all })).toMatchObject(problem(400));
  });

  test('a field of the path is refused in the body', async () => {
    const one = await newGroup();
    const other = await newGroup();
    const json = { id: other.id, description: 'x' };
    expect(await call(`PATCH /groups/${one.id}`, { key: all, json })).toMatchObject(problem(422));
  });

  test('HEAD answers as GET; OPTIONS and 405 list the allowed methods', async () => {
    const head = await call('HEAD /groups', { key: all });
    expect([head.status, head.body.text]).toEqual([200, '']);
    const options = await call('OPTIONS /groups');
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, POST, OPTIONS',
    ]);
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
    const put = await call('PUT /groups', { key: all, json: {} });
    expect(put).toMatchObject(problem(405));
    expect(put.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test.each([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['application/*', 200],
  ])('Accept: %s gets %i', async (Accept, status) => {
    expect((await call('GET /groups', { key: all, headers: { Accept } })).status).toBe(status);
  });
});

describe('ETags of the API', () => {
  test('PATCH with the current If-Match succeeds, with a stale one is 412 and has the current ETag', async () => {
    const { id } = await newGroup();
    const at = `/groups/${id}`;
    const etag = (await call(`GET ${at}`, { key: all })).headers.get('etag') ?? '';
    const patch = (tag: string, description: string) =>
      call(`PATCH ${at}`, { key: all, json: { description }, headers: { 'If-Match': tag } });
    const first = await patch(etag, 'one');
    expect(first.status).toBe(200);
    const late = await patch(etag, 'two');
    expect(late).toMatchObject(problem(412));
    expect(late.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await call(`GET ${at}`, { key: all })).body.description).toBe('one');
    expect((await patch(`"1", ${first.headers.get('etag')}`, 'three')).status).toBe(200);
    for (const tag of ['W/"1"', '"x"', 'x', '"99999999999999999999"', '', '"-1"'])
      expect((await patch(tag, 'four')).status).toBe(412);
    expect((await patch('*', 'five')).status).toBe(200);
  });

  test('GET with the current If-None-Match is 304', async () => {
    const { id } = await newGroup();
    const etag = (await call(`GET /groups/${id}`, { key: all })).headers.get('etag') ?? '';
    const again = await call(`GET /groups/${id}`, { key: all, headers: { 'If-None-Match': etag } });
    expect([again.status, again.body.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('If-Match is refused for a call whose target has no version', async () => {
    const answer = await call('POST /groups', { key: all, json: {}, headers: { 'If-Match': '*' } });
    expect(answer).toMatchObject(problem(400));
  });

  test('of six PATCH calls with the same If-Match at the same time one succeeds', async () => {
    const { id } = await newGroup();
    const etag = (await call(`GET /groups/${id}`, { key: all })).headers.get('etag') ?? '';
    const patches = [1, 2, 3, 4, 5, 6].map((each) =>
      call(`PATCH /groups/${id}`, {
        key: all,
        json: { description: `${each}` },
        headers: { 'If-Match': etag },
      }),
    );
    const statuses = (await Promise.all(patches)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412, 412, 412, 412]);
  });
});

describe('Idempotency-Key', () => {
  const create = (key: string, name: string, caller = all) =>
    call('POST /groups', { key: caller, json: { name }, headers: { 'Idempotency-Key': key } });

  test('of five calls at the same time one creates, and all get the same answer', async () => {
    const [key, name] = [unique('once'), unique('group')];
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(key, name)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('is refused with another body (422), and independent for another API key', async () => {
    const [key, name] = [unique('once'), unique('group')];
    await create(key, name);
    expect(await create(key, unique('group'))).toMatchObject(problem(422));
    const other = await keyWith(['group:write']);
    expect((await create(key, unique('group'), other)).status).toBe(201);
  });

  test('of a refused call can be used again', async () => {
    const key = unique('once');
    expect((await create(key, '')).status).toBe(422);
    expect((await create(key, unique('group'))).status).toBe(201);
  });

  test.each(['', 'ä', 'x'.repeat(256), 'a b'])('%j is no valid key (400)', async (key) => {
    expect((await create(key, unique('group'))).status).toBe(400);
    const sent = { key: all, json: { name: 'x' }, headers: { 'Idempotency-Key': key } };
    expect((await call('POST /groups?plan=true', sent)).status).toBe(400);
  });
});

describe('?plan=true', () => {
  test('answers with the changes, and makes none', async () => {
    const { id, name } = await newGroup();
    const planned = await call(`PATCH /groups/${id}?plan=true`, {
      key: all,
      json: { description: 'new' },
    });
    expect([planned.status, planned.body]).toEqual([
      200,
      {
        plan: true,
        changes: [
          {
            type: 'group.updated',
            user_id: null,
            client_id: null,
            detail: { id, name, description: { before: null, after: 'new' } },
          },
        ],
      },
    ]);
    const { body } = await call(`DELETE /groups/${id}?plan=true`, { key: all });
    expect(body.changes).toMatchObject([{ type: 'group.deleted' }]);
    expect((await call(`GET /groups/${id}`, { key: all })).body.description).toBeNull();
    const { rows } = await listAudit({ type: 'group' });
    const events = rows.filter(({ detail }) => detail.id === id);
    expect(events.map(({ type }) => type)).toEqual(['group.created']);
  });

  test('a key whose maker lost their role does not get the kept answer of an Idempotency-Key', async () => {
    const maker = await newUser({ isAdmin: true });
    const key = await keyWith(['group:write'], { by: { id: maker.id } });
    const sent = {
      key,
      json: { name: unique('group') },
      headers: { 'Idempotency-Key': unique('once') },
    };
    expect((await call('POST /groups', sent)).status).toBe(201);
    expect((await call('POST /groups', sent)).status).toBe(201);
    await setRole(maker.id, 'auditor', { id: 'cli' }, new Date());
    expect((await call('POST /groups', sent)).status).toBe(403);
  });

  test('is refused as the call itself would be', async () => {
    const { name } = await newGroup();
    const taken = await call('POST /groups?plan=true', { key: all, json: { name } });
    expect(taken).toMatchObject(problem(409));
    const key = await keyWith(['group:write']);
    expect((await call('DELETE /groups/x?plan=true', { key })).status).toBe(403);
  });
});

test('openapi.json has unique operation ids, among them those of groups and keys', async () => {
  const { status, body } = await call('GET /openapi.json');
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  const paths = body.paths as Record<string, Record<string, { operationId: string }>>;
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids).toEqual(
    expect.arrayContaining(['group_list', 'group_create', 'group_members_add', 'api_key_delete']),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(JSON.stringify(body)).not.toContain('$schema');
});
