import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeFactors } from '#lib/management/user/users.ts';
import { readFactors } from '#lib/store/factors.ts';
import { redeem } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codeOf,
  codesOn,
  newUserWithApp,
  noFactors,
  postAnswer,
  secretOn,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';
import { set } from '../support/settings.ts';

// The rule is for everybody on a server, so this file has its own.
const server = await openServer({});
const enrol = '/login/enrol/submit';
const actor = { id: 'cli' };
const demand = (who: string | null) => set('REQUIRE_SECOND_FACTOR', who);

let before: Person;
beforeAll(async () => {
  before = new Person(server, (await newUser({ isAdmin: true })).username);
  await before.signIn();
  await demand('admins');
});
afterAll(() => demand(null));

test('REQUIRE_SECOND_FACTOR=admins: an admin without a factor sets one up on the way to the app', async () => {
  const user = await newUser({ isAdmin: true });
  const client = await newClient({ firstParty: true });
  const person = new Person(server, user.username);
  const login = await person.open(
    authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid', state: 's' }),
  );
  const page = await person.signInAt(login);
  expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
  expect(person.cookies.has('gh_session')).toBe(false);
  const secret = secretOn(page);
  const refused = await person.submit(page, enrol, { code: wrongCode(secret) });
  expect(secretOn(refused)).toBe(secret);
  const shown = await person.submit(refused, enrol, { code: codeOf(secret) });
  expect(shown.at).toMatch(/^\/account\/security\/codes\?flow=/);
  expect(codesOn(shown)).toHaveLength(10);
  const end = await person.submit(shown, '/account/security/codes/kept');
  const { body } = await redeem(server, client, answerOf(end).code ?? '');
  expect(decodeJwt(String(body.id_token))).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
});

test('REQUIRE_SECOND_FACTOR=admins: an admin may set up a passkey instead of an app', async () => {
  const user = await newUser({ isAdmin: true });
  const person = new Person(server, user.username);
  const page = await person.signIn();
  expect(page.at).toBe('/login/enrol');
  const { options, challenge } = await ask(person, page, 'add');
  const shown = await postAnswer(
    person,
    page,
    enrol,
    new Authenticator(server.issuer).create(options),
    challenge,
  );
  expect(shown.at).toBe('/account/security/codes');
});

test('REQUIRE_SECOND_FACTOR=admins: an earlier session no longer counts, and other users are not affected', async () => {
  expect((await before.open('/account')).at).toMatch(/^\/login/);
  const { id } = await newClient({ firstParty: true });
  expect((await before.open(authorizePath({ client_id: id, response_type: 'code' }))).at).toMatch(
    /^\/login\?flow=/,
  );
  expect((await new Person(server, (await newUser()).username).signIn()).at).toBe('/account');
});

test('a password alone cannot enrol a second factor if the account has got one in the meantime', async () => {
  const user = await newUser({ isAdmin: true });
  const [owner, thief] = [new Person(server, user.username), new Person(server, user.username)];
  const page = await owner.signIn();
  const other = await thief.signIn();
  await owner.submit(page, enrol, { code: codeOf(secretOn(page)) });
  const end = await thief.submit(other, enrol, { code: codeOf(secretOn(other)) });
  expect(end.at).toBe('/login/factor');
  expect(thief.cookies.has('gh_session')).toBe(false);
});

test('REQUIRE_SECOND_FACTOR=admins: the last factor of an admin cannot be removed', async () => {
  const user = await newUserWithApp({ isAdmin: true });
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
  const security = await person.open('/account/security');
  expect(security.forms.map(({ action }) => action)).not.toContain(
    '/account/security/remove/submit',
  );
  const { csrf = '' } = security.forms[0]?.fields ?? {};
  const body = new URLSearchParams({ csrf }).toString();
  const end = await person.open('/account/security/remove/submit', {
    method: 'POST',
    body,
    headers: { Origin: server.issuer },
  });
  expect(textOf(end.html)).toContain('You can replace your last method');
  expect((await readFactors(user.id)).totp).toBe(true);
});

test('an admin can remove the factors of a user who has lost them', async () => {
  const user = await newUserWithApp();
  const event = { userId: user.id, type: 'factors.reset' };
  await removeFactors(user.username, actor, new Date());
  expect(await readFactors(user.id)).toEqual(noFactors);
  expect(await (await prisma()).auditEvent.count({ where: event })).toBe(1);
  await expect(removeFactors(user.username, actor, new Date())).rejects.toThrow(
    'has no second step',
  );
  expect((await new Person(server, user.username).signIn()).at).toBe('/account');
});

test('REQUIRE_SECOND_FACTOR refuses unknown values', async () => {
  await expect(demand('some')).rejects.toThrow(
    'REQUIRE_SECOND_FACTOR is "some", and has to be off, admins or everyone.',
  );
});
