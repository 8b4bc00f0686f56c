import { expect, test } from 'vitest';
import { apiRights } from '#lib/management/api-key/rights.ts';
import { unique } from '../management/people.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const key = await keyWith(apiRights);
const call = (line: string, sent?: Sent) => callApi(server, line, { key, ...sent });
const etagOf = async (at: string) => (await call(`GET ${at}`)).headers.get('etag') ?? '';

async function newGroup(): Promise<{ id: string; name: string }> {
  const { body } = await call('POST /groups', { json: { name: unique('group') } });
  return { id: String(body.id), name: String(body.name) };
}

async function done(line: string, json?: object): Promise<void> {
  const { status, body } = await call(line, { json });
  expect([line, status, body], line).toMatchObject([line, expect.toBeOneOf([200, 201]), {}]);
}

/**
 * Changes that affect a thing without changing its own record: the thing's address, and the change
 * made elsewhere.
 */
const beside: Record<string, () => Promise<{ at: string; change: () => Promise<void> }>> = {
  'a person joins a group': async () => {
    const { id } = await newUser();
    const group = await newGroup();
    const change = () => done(`POST /groups/${group.id}/members/add`, { people: [id] });
    return { at: `/users/${id}`, change };
  },
  'a group of a person gets another name': async () => {
    const { id } = await newUser();
    const group = await newGroup();
    await done(`POST /groups/${group.id}/members/add`, { people: [id] });
    const change = () => done(`PATCH /groups/${group.id}`, { name: unique('renamed') });
    return { at: `/users/${id}`, change };
  },
  'a group gets a member': async () => {
    const { id } = await newUser();
    const group = await newGroup();
    const change = () => done(`POST /groups/${group.id}/members/add`, { people: [id] });
    return { at: `/groups/${group.id}`, change };
  },
  'an app gets a developer': async () => {
    const { username } = await newUser();
    const { id } = await newClient();
    const change = () => done(`POST /clients/${id}/contacts/add`, { contact: username });
    return { at: `/clients/${id}`, change };
  },
  'an app lists somebody': async () => {
    const user = await newUser();
    const { id } = await newClient();
    const change = () => done(`POST /clients/${id}/access/allow`, { people: [user.id] });
    return { at: `/clients/${id}`, change };
  },
  'an app gets a secret': async () => {
    const { id } = await newClient();
    return {
      at: `/clients/${id}`,
      change: () => done(`POST /clients/${id}/secrets`, { keep_old: true }),
    };
  },
};

test.each(Object.entries(beside))('the ETag changes when %s', async (_, make) => {
  const { at, change } = await make();
  const before = await etagOf(at);
  expect(before).toMatch(/^"[\w-]+"$/);
  expect(await etagOf(at)).toBe(before);
  await change();
  const now = await etagOf(at);
  expect(now).not.toBe(before);
  const had = await call(`GET ${at}`, { headers: { 'If-None-Match': before } });
  expect([had.status, had.headers.get('etag')]).toEqual([200, now]);
  const headers = { 'If-Match': before };
  const word = at.startsWith('/users') ? 'name' : 'description';
  for (const [line, json] of [
    [`PATCH ${at}`, { [word]: 'x' }],
    [`PATCH ${at}?plan=true`, { [word]: 'x' }],
    [`DELETE ${at}`, undefined],
  ] as const) {
    const late = await call(line, { headers, json });
    expect([line, late.status, late.headers.get('etag')]).toEqual([line, 412, now]);
  }
  expect((await call(`DELETE ${at}`, { headers: { 'If-Match': now } })).status).toBe(200);
});

test('a changed or created thing is answered with its new ETag', async () => {
  const { id } = await newUser();
  const patched = await call(`PATCH /users/${id}`, { json: { name: 'Ann' } });
  expect(patched.headers.get('etag')).toBe(await etagOf(`/users/${id}`));
  const headers = { 'If-Match': patched.headers.get('etag') ?? '' };
  const again = await call(`PATCH /users/${id}`, { headers, json: { name: 'Anne' } });
  expect(again.headers.get('etag')).toBe(await etagOf(`/users/${id}`));
  expect(again.headers.get('etag')).not.toBe(patched.headers.get('etag'));
  const made = await call('POST /clients', { json: { name: 'App', contacts: [id] } });
  expect(made.headers.get('etag')).toBe(await etagOf(`/clients/${made.body.client_id}`));
});
