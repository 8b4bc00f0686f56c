import { describe, expect, test } from 'vitest';
import { createField } from '#lib/management/field/user-fields.ts';
import { listSessions } from '#lib/management/session/sessions.ts';
import { showUser } from '#lib/management/user/users.ts';
import { callApi, keyWith, type Sent } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn, newVisitor, Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';

const server = await openServer();
const call = (line: string, sent?: Sent) => callApi(server, line, sent);
const unique = (word: string) => `${word}${Math.random().toString(36).slice(2)}`;
const key = await keyWith(['user:loosen', 'session:loosen']);
const problem = (status: number, detail: unknown = expect.any(String)) => ({
  status,
  body: { status, detail },
});
const someone = (username = unique('ann')) => ({ username, email: `${username}@example.org` });

async function made(more: Record<string, unknown> = {}) {
  const answer = await call('POST /users', { key, json: { ...someone(), ...more } });
  expect(answer.status).toBe(201);
  const { password, ...body } = answer.body;
  return { ...answer, id: String(body.id), body, password };
}
const show = async (id: string) => (await call(`GET /users/${id}`, { key })).body;

async function signedIn(): Promise<Person> {
  const person = await newVisitor(server);
  await person.signIn();
  return person;
}
const idOf = async ({ username }: Person) => (await showUser(username)).id;

describe('a user in the API', () => {
  test('is created with a password that is returned once, and is shown, listed and deleted', async () => {
    const { id, body, password, headers } = await made({ name: 'Ann', email_verified: true });
    expect(password).toMatch(/^(\w{5}-){3}\w{5}$/);
    expect(headers.get('location')).toBe(`${server.issuer}/api/v1/users/${id}`);
    const shown = await call(`GET /users/${id}`, { key });
    expect(shown.body).toEqual({ ...body, fields: {} });
    expect(shown.body).toMatchObject({ must_change_password: true, role: 'none', groups: [] });
    expect(shown.headers.get('etag')).toBe(headers.get('etag'));
    const list = await call(`GET /users?q=${body.username}&disabled=false`, { key });
    expect(list.body).toMatchObject({ users: [{ id }], next: null });
    expect((await call(`GET /users?q=${body.username}&role=admin`, { key })).body.users).toEqual(
      [],
    );
    const gone = await call(`DELETE /users/${id}`, { key });
    expect(gone.body).toEqual({ id, username: body.username, deleted: true });
    expect(await call(`GET /users/${id}`, { key })).toMatchObject(problem(404));
  });

  test('is created with a chosen password, which is not returned and need not be changed', async () => {
    const { username } = someone();
    const json = { ...someone(username), password: 'correct horse battery staple' };
    const answer = await call('POST /users', { key, json });
    expect(answer.body).toMatchObject({ password: null, must_change_password: false });
    expect(JSON.stringify(answer.body)).not.toContain('correct horse');
  });

  test('PATCH changes only the named fields, claims and custom fields one by one', async () => {
    const field = unique('team');
    await createField(
      { name: field, label: 'Team', scope: 'profile', type: 'list' },
      { id: 'cli' },
      new Date(),
    );
    const { id } = await made({ name: 'Ann' });
    const patch = (json: unknown) => call(`PATCH /users/${id}`, { key, json });
    const claims = { given_name: 'Ann', phone_number: '+1', address: { locality: 'Paris' } };
    await patch({ claims, fields: { [field]: ['a', 'b'] } });
    const verified = await patch({ claims: { phone_number_verified: true } });
    expect(verified.body).toMatchObject({
      name: 'Ann',
      claims: { ...claims, phone_number_verified: true },
      fields: { [field]: ['a', 'b'] },
    });
    await patch({ name: null, claims: { phone_number: '+2', address: { locality: null } } });
    expect(await show(id)).toMatchObject({
      name: null,
      claims: { given_name: 'Ann', phone_number: '+2' },
    });
    expect((await show(id)).claims).not.toHaveProperty('address');
    expect((await show(id)).claims).not.toHaveProperty('phone_number_verified');
    expect((await patch({ fields: { [field]: null } })).body.fields).toEqual({});
  });

  test.each([
    [{ claims: { birthdate: 'today' } }, 'claims.birthdate'],
    [{ claims: { address: { locality: 'x'.repeat(201) } } }, 'claims.address.locality'],
    [{ claims: { phone_number_verified: true } }, 'claims.phone_number'],
    [{ fields: { none: 'x' } }, 'fields.none'],
    [{ email: 'nobody' }, 'email'],
    [{ claims: { shoe: '7' } }, 'claims.shoe'],
    [{ claims: 7 }, 'claims'],
    [{ password: 'x' }, 'password'],
  ])('%j is refused with the name of its field', async (json, field) => {
    const { id } = await made();
    const before = await show(id);
    const answer = await call(`PATCH /users/${id}`, { key, json });
    expect(answer).toMatchObject(problem(422));
    expect(answer.body.errors).toMatchObject([{ field }]);
    expect(await show(id)).toEqual(before);
  });

  test('?plan=true tells the changes, makes none and returns no password', async () => {
    const { id } = await made();
    const before = await show(id);
    const plan = await call(`POST /users/${id}/reset-password?plan=true`, { key, json: {} });
    expect(plan.body).toMatchObject({
      plan: true,
      changes: [{ type: 'password.reset', user_id: id }],
    });
    expect(plan.body).not.toHaveProperty('password');
    const gone = await call(`DELETE /users/${id}?plan=true`, { key });
    expect(gone.body).toMatchObject({ changes: [{ type: 'user.deleted' }] });
    expect(await show(id)).toEqual(before);
  });

  test.each([
    ['username', 'U'],
    ['email', 'U@EXAMPLE.org'],
  ])('is found by %s, whole and in any case, and not by its start', async (filter, spelled) => {
    const username = unique('ann');
    const { id } = await made({ ...someone(username) });
    await made({ ...someone(`${username}x`) });
    const found = async (text: string) =>
      (await call(`GET /users?${filter}=${encodeURIComponent(text)}`, { key })).body.items;
    const whole = spelled.replace('U', username.toUpperCase());
    expect(await found(whole)).toMatchObject([{ id }]);
    expect(await found(whole.slice(0, -1))).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  test('is disabled, enabled, given a role, unlocked and given a new password', async () => {
    await newUser({ isAdmin: true });
    const { id, body } = await made();
    const post = (what: string, json = {}) => call(`POST /users/${id}/${what}`, { key, json });
    const put = (what: string, json: object) => call(`PUT /users/${id}/${what}`, { key, json });
    expect((await post('disable')).body).toMatchObject({ id, disabled: true });
    expect(
      (await call(`GET /users?q=${body.username}&disabled=true`, { key })).body.users,
    ).toHaveLength(1);
    expect((await post('enable')).body).toMatchObject({ id, disabled: false, disabled_at: null });
    expect((await put('role', { role: 'support' })).body).toMatchObject({ role: 'support' });
    expect((await put('admin', { admin: true })).body).toMatchObject({
      role: 'admin',
      admin: true,
    });
    expect((await put('admin', { admin: false })).body).toMatchObject({ role: 'none' });
    expect(await put('role', { role: 'king' })).toMatchObject(problem(422));
    expect((await post('unlock')).body).toMatchObject({ id });
    expect(await post('remove-factors')).toMatchObject(problem(422));
    expect((await post('reset-password')).body).toMatchObject({
      id,
      must_change_password: true,
      password: expect.stringMatching(/-/),
    });
    expect(await call('POST /usernames/nobody/free', { key })).toMatchObject(problem(404));
  });

  test('is addressed by id alone, not by user name or email', async () => {
    const { body } = await made();
    for (const name of [body.username, body.email])
      expect(await call(`DELETE /users/${name}`, { key })).toMatchObject(problem(404));
    expect(await call(`POST /users/${body.username}/disable`, { key })).toMatchObject(problem(404));
  });
});

describe('rights of API keys over users', () => {
  test('user:write neither changes nor deletes a user, session:write ends all their sessions', async () => {
    const { id } = await made();
    const writes = await keyWith(['user:write', 'session:write']);
    const json = { name: 'x' };
    expect(await call(`PATCH /users/${id}`, { key: writes, json })).toMatchObject(problem(403));
    expect(await call(`DELETE /users/${id}`, { key: writes })).toMatchObject(problem(403));
    expect((await call(`GET /users/${id}`, { key: writes })).status).toBe(200);
    const everywhere = await call(`POST /users/${id}/sessions/end-all`, { key: writes });
    expect(everywhere.body).toMatchObject({ user_id: id, ended: true });
    const reads = await keyWith(['user:read', 'session:read']);
    const refused = await call(`POST /users/${id}/sessions/end-all`, { key: reads });
    expect(refused).toMatchObject(problem(403));
  });

  test('a key of a support user resets passwords only of users without a role, who must change them', async () => {
    const helper = await newUser({ role: 'support' });
    const helps = await keyWith(['user:loosen', 'session:loosen'], { by: { id: helper.id } });
    const { id } = await made();
    const password = 'correct horse battery staple';
    const json = { password, must_change_password: false };
    const reset = await call(`POST /users/${id}/reset-password`, { key: helps, json });
    expect(reset.body).toMatchObject({ must_change_password: true, password: null });
    expect(await call(`PATCH /users/${id}`, { key: helps, json: {} })).toMatchObject(problem(403));
    const { id: boss } = await newUser({ isAdmin: true });
    for (const what of ['reset-password', 'unlock', 'remove-factors', 'sessions/end-all'])
      expect(await call(`POST /users/${boss}/${what}`, { key: helps })).toMatchObject(
        problem(422, expect.stringContaining('has a role in this dashboard')),
      );
  });
});

describe('sessions in the API', () => {
  test('are listed, and ended one by one or all together', async () => {
    const person = await signedIn();
    const id = await idOf(person);
    const second = new Person(server, person.username);
    await second.signIn();
    const { body } = await call(`GET /users/${id}/sessions`, { key });
    const sessions = body.sessions as { id: string; amr: string[] }[];
    expect(sessions.map(({ amr }) => amr)).toEqual([['pwd'], ['pwd']]);
    const [last] = await listSessions(id, new Date());
    const ended = await call(`DELETE /users/${id}/sessions/${last?.hash}`, { key });
    expect(ended.body).toEqual({ user_id: id, id: last?.hash, ended: true });
    expect([await isSignedIn(person), await isSignedIn(second)].filter(Boolean)).toHaveLength(1);
    expect(await call(`DELETE /users/${id}/sessions/${last?.hash}`, { key })).toMatchObject(
      problem(404),
    );
    await call(`POST /users/${id}/sessions/end-all`, { key });
    expect([await isSignedIn(person), await isSignedIn(second)]).toEqual([false, false]);
    expect((await call(`GET /users/${id}/sessions`, { key })).body.sessions).toEqual([]);
  });

  test('of one user cannot be ended under another user’s id', async () => {
    const one = await signedIn();
    const other = await signedIn();
    const [session] = await listSessions(await idOf(one), new Date());
    const line = `DELETE /users/${await idOf(other)}/sessions/${session?.hash}`;
    expect(await call(line, { key })).toMatchObject(problem(404));
    expect(await isSignedIn(one)).toBe(true);
    expect(await call('GET /users/nobody/sessions', { key })).toMatchObject(problem(404));
  });
});
