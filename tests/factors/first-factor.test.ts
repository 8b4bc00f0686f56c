import { describe, expect, test } from 'vitest';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codeOf,
  codesOn,
  confirmedBy,
  newPersonWithPasskey,
  newUserWithApp,
  postAnswer,
  secretOn,
} from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';
import { isSignedIn, newPerson, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();

/** Another browser of the same person, signed in with only the password. */
async function anotherBrowser(username: string): Promise<Person> {
  const other = new Person(server, username);
  await other.signIn();
  expect(await isSignedIn(other)).toBe(true);
  return other;
}

test('adding the first authenticator app ends the other sessions, and this one counts as two-step', async () => {
  const person = await newPerson(server);
  const thief = await anotherBrowser(person.username);
  const page = await person.open('/account/security/totp');
  const shown = await person.submit(page, '/account/security/totp/submit', {
    code: codeOf(secretOn(page)),
  });
  expect(shown.at).toBe('/account/security/codes');
  expect(await isSignedIn(thief)).toBe(false);
  const security = await person.open('/account/security');
  await person.submit(security, '/account/security/remove/submit', confirmedBy(codesOn(shown)[0]));
  expect(await (await prisma()).totpSecret.count({ where: { userId: person.user.id } })).toBe(0);
});

describe('a stolen copy of the session cookie', () => {
  const copyOf = (person: Person): Person => {
    const thief = new Person(server, person.username);
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    return thief;
  };
  const sidOf = async (id: string) =>
    (await (await prisma()).session.findMany({ where: { userId: id } })).map(({ hash }) => hash);

  test('is ended by adding the first authenticator app, and the session goes on', async () => {
    const person = await newPerson(server);
    const thief = copyOf(person);
    const before = await sidOf(person.user.id);
    const page = await person.open('/account/security/totp');
    const code = codeOf(secretOn(page));
    const shown = await person.submit(page, '/account/security/totp/submit', { code });
    expect(codesOn(shown)).toHaveLength(10);
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
    expect(await sidOf(person.user.id)).toEqual(before);
  });

  test('is ended by adding a passkey, and the session goes on', async () => {
    const { user, person } = await newPersonWithPasskey(server);
    const thief = copyOf(person);
    const before = await sidOf(user.id);
    const page = await person.open('/account/security');
    const { options, challenge } = await ask(person, page, 'add');
    const credential = new Authenticator(server.issuer).create(options);
    await postAnswer(person, page, '/account/security/passkey/submit', credential, challenge);
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
    expect(await sidOf(user.id)).toEqual(before);
  });

  test('is ended by changing the password', async () => {
    const person = await newPerson(server);
    const thief = copyOf(person);
    await person.submit(await person.open('/account/sign-in'), '/account/password/submit', {
      ...confirmedBy(),
      new_password: 'entirely other words here',
    });
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
  });
});

test('adding the first passkey ends the other sessions; adding a second one keeps this session', async () => {
  const owner = await newPerson(server);
  const thief = await anotherBrowser(owner.username);
  const add = async () => {
    const page = await owner.open('/account/security');
    const { options, challenge } = await ask(owner, page, 'add');
    const credential = new Authenticator(server.issuer).create(options);
    return postAnswer(owner, page, '/account/security/passkey/submit', credential, challenge);
  };
  expect((await add()).at).toBe('/account/security/codes');
  expect(await isSignedIn(thief)).toBe(false);
  await add();
  const db = await prisma();
  expect(await db.passkey.count({ where: { userId: owner.user.id } })).toBe(2);
  expect(await isSignedIn(owner)).toBe(true);
});

test('with a second factor, a session with the password alone is not fresh enough to remove it', async () => {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
  const db = await prisma();
  const where = { userId: user.id };
  const security = await person.open('/account/security');
  await db.session.updateMany({ where, data: { amr: 'pwd' } });
  const post = person.postOf(security, '/account/security/remove/submit');
  await person.open('/account/security/remove/submit', { method: 'POST', ...post });
  expect(await db.totpSecret.count({ where })).toBe(1);
  // Signing in again asks for the factor.
  const again = await person.open('/login?back=%2Faccount%2Fsecurity');
  expect((await person.signInAt(again)).at).toMatch(/^\/login\/factor/);
});

test('an admin with a passkey is not freshly signed in by the password alone', async () => {
  const { user, person } = await newPersonWithPasskey(server, { isAdmin: true });
  const page = `/admin/clients/${(await newClient()).id}/try`;
  expect((await person.open(page)).at).toBe(page);
  await (await prisma()).session.updateMany({ where: { userId: user.id }, data: { amr: 'pwd' } });
  expect((await person.open(page)).at).toMatch(/^\/login/);
});
