import { expect, test } from 'vitest';
import { requireSecondFactor, setRole } from '#lib/management/user/users.ts';
import { readFactors } from '#lib/store/factors.ts';
import { codeOf, codesOn, newUserWithApp, secretOn } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const actor = { id: 'cli' };
const ask = (id: string, required: boolean) => requireSecondFactor(id, required, actor, new Date());

test('a second factor required of one user: a password session ends, and the next sign-in enrols one', async () => {
  const user = await newUser();
  const client = await newClient({ firstParty: true });
  const person = new Person(server, user.username);
  expect((await person.signIn()).at).toBe('/account');
  await ask(user.id, true);
  expect((await person.open('/account')).at).toMatch(/^\/login/);
  const asked = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
  expect(asked.at).toMatch(/^\/login\?flow=/);
  const page = await person.signInAt(asked);
  expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
  const shown = await person.submit(page, '/login/enrol/submit', { code: codeOf(secretOn(page)) });
  expect(codesOn(shown)).toHaveLength(10);
  expect((await person.open('/account')).at).toBe('/account');
});

test('a second factor required of one user: others are not affected, nor the user once it is lifted', async () => {
  const user = await newUser();
  const other = await newUser();
  await ask(user.id, true);
  expect((await new Person(server, other.username).signIn()).at).toBe('/account');
  expect((await new Person(server, user.username).signIn()).at).toBe('/login/enrol');
  await ask(user.id, false);
  expect((await new Person(server, user.username).signIn()).at).toBe('/account');
});

test('a second factor required of one user: the last factor cannot be removed', async () => {
  const user = await newUserWithApp();
  await ask(user.id, true);
  const person = new Person(server, user.username);
  const page = await person.signIn();
  await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
  const security = await person.open('/account/security');
  const { csrf = '' } = security.forms[0]?.fields ?? {};
  const end = await person.open('/account/security/remove/submit', {
    method: 'POST',
    body: new URLSearchParams({ csrf }).toString(),
    headers: { Origin: server.issuer },
  });
  expect(textOf(end.html)).toContain('You can replace your last method');
  expect((await readFactors(user.id)).totp).toBe(true);
});

test('a second factor required of one user stays required when the role changes', async () => {
  const user = await newUser();
  await ask(user.id, true);
  await setRole(user.id, 'auditor', actor, new Date());
  expect((await new Person(server, user.username).signIn()).at).toBe('/login/enrol');
});
