import { expect, test } from 'vitest';
import { ask, codeOf, newPersonWithPasskey, newUserWithApp, secretOn } from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password } from '../support/seed.ts';

// Leaving “Keep me signed in” unticked takes effect through every step of a sign-in.
const server = await openServer();
const unticked = (person: Person) => ({ username: person.username, password, stay: 'off' });

/** Submits a form; returns the cookies of the answer. */
async function cookiesOf(
  person: Person,
  page: Page,
  action: string,
  filled: Record<string, string>,
) {
  const answer = await person.request(action, {
    method: 'POST',
    ...person.postOf(page, action, filled),
  });
  return answer.headers.getSetCookie();
}

async function expectBrief(userId: string, cookies: string[]): Promise<void> {
  expect(cookies.find((each) => each.startsWith('gh_session='))).not.toMatch(/max-age/i);
  expect(cookies.some((each) => each.startsWith('gh_session='))).toBe(true);
  expect(cookies.some((each) => each.startsWith('gh_device='))).toBe(false);
  const session = await (await prisma()).session.findFirstOrThrow({
    where: { userId },
    orderBy: { createdAt: 'desc' },
  });
  expect(session.brief).toBe(true);
}

test('“Keep me signed in” unticked: the session is brief after a second step', async () => {
  const user = await newUserWithApp();
  const person = new Person(server, user.username);
  const page = await person.submit(await person.open('/login'), '/login/submit', unticked(person));
  const code = { code: codeOf(user.secret) };
  await expectBrief(user.id, await cookiesOf(person, page, '/login/factor/submit', code));
});

test('“Keep me signed in” unticked: the session is brief after an enrolment that an app requires', async () => {
  const user = await newUser();
  const client = await newClient({ requireSecondFactor: true });
  const person = new Person(server, user.username);
  const login = await person.open(authorizePath({ client_id: client.id, response_type: 'code' }));
  const page = await person.submit(login, '/login/submit', unticked(person));
  expect(page.at).toMatch(/^\/login\/enrol/);
  const code = { code: codeOf(secretOn(page)) };
  await expectBrief(user.id, await cookiesOf(person, page, '/login/enrol/submit', code));
});

test('“Keep me signed in” unticked: the session is brief after the forced change of a password', async () => {
  const user = await newUser();
  await (await prisma()).user.update({
    where: { id: user.id },
    data: { mustChangePassword: true },
  });
  const person = new Person(server, user.username);
  const page = await person.submit(await person.open('/login'), '/login/submit', unticked(person));
  expect(page.at).toMatch(/^\/login\/new-password/);
  const chosen = { new_password: 'another correct horse 7' };
  await expectBrief(user.id, await cookiesOf(person, page, '/login/new-password/submit', chosen));
});

test('“Keep me signed in” unticked: the session is brief after a sign-in with a passkey alone', async () => {
  const { user, authenticator } = await newPersonWithPasskey(server);
  const person = new Person(server, user.username);
  const page = await person.open('/login');
  const { options, challenge } = await ask(person, page, 'sign-in');
  const { csrf = '' } = page.forms[0]?.fields ?? {};
  const answer = { csrf, credential: authenticator.get(options), challenge, stay: 'off' };
  const end = await person.open('/login/passkey/submit', {
    method: 'POST',
    body: new URLSearchParams(answer).toString(),
    headers: { Origin: server.issuer },
  });
  expect(end.at).toBe('/account');
  expect(person.cookies.has('gh_device')).toBe(false);
  const session = await (await prisma()).session.findFirstOrThrow({
    where: { userId: user.id },
    orderBy: { createdAt: 'desc' },
  });
  expect(session.brief).toBe(true);
});
