import { expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import { me, refresh, tokensOf } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, Person } from '../support/person.ts';
import { newClient, password } from '../support/seed.ts';

const server = await openServer();
const day = 24 * 3600_000;

const ask = async (person: Person, filled: Record<string, string> = {}) =>
  person.submit(await person.open('/account/delete'), '/account/delete/submit', {
    sure: 'on',
    ...filled,
  });

async function newLeaver() {
  const person = await newPerson(server);
  const page = await ask(person);
  expect(textOf(page.html)).toContain('Your account will be deleted on');
  return person;
}

test('delete account: other sessions and all tokens end immediately, the current session goes on', async () => {
  const person = await newPerson(server);
  const elsewhere = new Person(server, person.username);
  await elsewhere.signIn();
  const tokens = await tokensOf(server, elsewhere);
  expect((await me(server, tokens.access_token)).status).toBe(200);
  const page = await ask(person);
  expect(page.at).toBe('/account/delete');
  expect((await elsewhere.open('/account')).at).toMatch(/^\/login/);
  expect((await me(server, tokens.access_token)).status).toBe(401);
  expect((await refresh(server, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await person.open('/account')).at).toBe('/account');
  expect(textOf((await person.open('/account')).html)).toContain('Your account will be deleted on');
  const due = (await findUser(person.user.id))?.deletionAt;
  expect(due && +due - Date.now()).toBeGreaterThan(6.9 * day);
  const [event] = await read<{ detail: string }>(
    "SELECT detail FROM audit_events WHERE user_id = :id AND type = 'user.deletion-requested'",
    { id: person.user.id },
  );
  expect(JSON.parse(event?.detail ?? '')).toEqual({ at: due?.toISOString() });
});

test('delete account: refused without the ticked box, and without a recent sign-in', async () => {
  const person = await newPerson(server);
  const unsure = await ask(person, { sure: '' });
  expect(textOf(unsure.html)).toContain('Tick the box');
  await write('UPDATE sessions SET auth_time = :old WHERE user_id = :id', {
    id: person.user.id,
    old: new Date(Date.now() - 3600_000),
  });
  const wrong = await ask(person, { confirm_password: 'something else' });
  expect(wrong.forms.some(({ fields }) => 'confirm_password' in fields)).toBe(true);
  expect(await findUser(person.user.id)).toMatchObject({ deletionAt: null });
  await ask(person, { confirm_password: password });
  expect((await findUser(person.user.id))?.deletionAt).toBeInstanceOf(Date);
});

test('delete account: a sign-in during the wait offers to keep the account or goes on to the app', async () => {
  const { user } = await newLeaver();
  const client = await newClient();
  const params = { client_id: client.id, response_type: 'code', redirect_uri: client.redirectUri };
  const person = new Person(server, user.username);
  const asked = await person.signInAt(await person.open(authorizePath(params)));
  expect(asked.at).toMatch(/^\/login\/leaving\?flow=/);
  expect(textOf(asked.html)).toContain('will be deleted on');
  const onwards = await person.submit(asked, '/login/leaving/submit');
  expect(onwards.at).toMatch(/^\/consent/);
  expect((await findUser(user.id))?.deletionAt).not.toBeNull();
  const again = new Person(server, user.username);
  const page = await again.signInAt(await again.open(authorizePath(params)));
  const kept = await again.submit(page, '/login/leaving/submit', { keep: 'yes' });
  expect(kept.at).toMatch(/^\/consent/);
  expect(await findUser(user.id)).toMatchObject({ deletionAt: null });
  // The page that asks about leaving has nothing to ask any longer.
  expect((await again.open('/login/leaving')).at).toBe('/account');
  expect((await new Person(server, user.username).signIn()).at).toBe('/account');
});

test('delete account: during the wait a form is confirmed by password as usual, and the session goes on', async () => {
  const person = await newLeaver();
  const fresh = 'entirely other words here';
  const changed = await person.submit(
    await person.open('/account/sign-in'),
    '/account/password/submit',
    { confirm_password: password, new_password: fresh },
  );
  expect(textOf(changed.html)).toContain('Password changed.');
  expect((await person.open('/account')).at).toBe('/account');
  const again = new Person(server, person.username);
  expect((await again.signIn(person.username, fresh)).at).toMatch(/^\/login\/leaving/);
});

test('delete account: the account page keeps the account, and a second click does no harm', async () => {
  const person = await newLeaver();
  const page = await person.open('/account/delete');
  const kept = await person.submit(page, '/account/delete/keep');
  expect(textOf(kept.html)).toContain('Your account is kept');
  expect((await person.submit(page, '/account/delete/keep')).status).toBe(200);
  expect(await findUser(person.user.id)).toMatchObject({ deletionAt: null });
});

test('delete account: another user’s form is refused (CSRF), and the page asks for sign-in', async () => {
  const person = await newPerson(server);
  const other = await newPerson(server);
  const page = await other.open('/account/delete');
  const { body, headers } = other.postOf(page, '/account/delete/submit', { sure: 'on' });
  const crossed = await person.open('/account/delete/submit', { method: 'POST', body, headers });
  expect(crossed.status).toBe(403);
  expect(await findUser(person.user.id)).toMatchObject({ deletionAt: null });
  const bare = await new Person(server).open('/account/delete');
  expect(bare.at).toMatch(/^\/login/);
});
