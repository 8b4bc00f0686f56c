import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, Person } from '../support/person.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { setPassword } from '../support/set-password.ts';

const server = await openServer();
const page = '/login/new-password';
const action = `${page}/submit`;
const given = 'given by an admin';
const own = 'chosen by its owner';

/** A user whose password an admin has just set. */
async function freshPerson(): Promise<Person & { id: string }> {
  const user = await newUser();
  await setPassword(user.id, given, true);
  return Object.assign(new Person(server, user.username), { id: user.id });
}

test('sign-in with a password set by an admin asks for a new one, and starts no session before', async () => {
  const person = await freshPerson();
  const asked = await person.signIn(person.username, given);
  expect(asked.at).toBe(page);
  expect(textOf(asked.html)).toContain('Choose your own password');
  expect((await person.open('/account')).at).toMatch(/^\/login/);
  for (const [typed, sentence] of [
    ['short', 'Use at least 8 characters.'],
    ['password12345', 'easy to guess'],
    [person.username, 'your own username'],
    [given, 'Choose a password that’s different'],
  ]) {
    const refused = await person.submit(asked, action, { new_password: typed ?? '' });
    expect(refused.at).toBe(page);
    expect(textOf(refused.html)).toContain(sentence);
  }
  const done = await person.submit(asked, action, { new_password: own });
  expect(done.at).toBe('/account');
  expect((await userWithId(person.id)).mustChangePassword).toBe(false);
  const types = (await listAudit({ userId: person.id })).rows.map(({ type }) => type);
  expect(types.slice(0, 2).sort()).toEqual(['password.changed', 'sign-in.success']);
  // Sending the form again does nothing, and the next sign-in does not ask again.
  await person.submit(asked, action, { new_password: 'yet another one' });
  const next = new Person(server, person.username);
  expect((await next.signIn(person.username, own)).at).toBe('/account');
  expect(textOf((await new Person(server).signIn(person.username, given)).html)).toContain(
    'Incorrect username or password.',
  );
});

test('a pending authorization request goes on after the new password is chosen', async () => {
  const person = await freshPerson();
  const client = await newClient();
  const login = await person.open(
    authorizePath({ response_type: 'code', client_id: client.id, state: 'kept' }),
  );
  const asked = await person.signInAt(login, person.username, given);
  expect(asked.at).toMatch(/^\/login\/new-password\?flow=/);
  const consent = await person.submit(asked, action, { new_password: own });
  const end = await person.decide(consent, 'allow');
  expect(answerOf(end)).toMatchObject({ state: 'kept', code: expect.any(String) });
});

test('the new-password page is refused in another browser, and after another reset', async () => {
  const person = await freshPerson();
  const thief = new Person(server);
  const asked = await person.signIn(person.username, given);
  expect((await thief.open(page)).at).toBe('/login');
  const { csrf = '' } = (await thief.open('/login')).forms[0]?.fields ?? {};
  const body = new URLSearchParams({ csrf, new_password: 'taken by a thief' }).toString();
  const refused = await thief.open(action, {
    method: 'POST',
    body,
    headers: { Origin: server.issuer },
  });
  expect(refused.at).toBe('/login');
  // Another reset ends what was begun with the previous password.
  await setPassword(person.id, 'given another time', true);
  expect((await person.submit(asked, action, { new_password: own })).at).toBe('/login');
  expect((await userWithId(person.id)).mustChangePassword).toBe(true);
});

test('the second factor is asked for before the new password', async () => {
  const user = await newUserWithApp();
  await setPassword(user.id, given, true);
  const back = new Person(server, user.username);
  const factor = await back.signIn(user.username, given);
  expect(factor.at).toBe('/login/factor');
  expect((await back.open(page)).at).toBe('/login');
  const asked = await back.submit(factor, '/login/factor/submit', {
    code: codeOf(user.secret),
  });
  expect(asked.at).toBe(page);
  expect((await back.submit(asked, action, { new_password: own })).at).toBe('/account');
});

test('a password that the user chose themselves is not asked to be replaced', async () => {
  const person = await newPerson(server);
  await person.submit(await person.open('/account/sign-in'), '/account/password/submit', {
    confirm_password: password,
    new_password: own,
  });
  expect((await new Person(server).signIn(person.username, own)).at).toBe('/account');
});
