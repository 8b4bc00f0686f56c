import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { redeem } from '../support/app.ts';
import {
  ask,
  codeOf,
  newPersonWithPasskey,
  newUserWithApp,
  postAnswer,
  secretOn,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, type TestClient } from '../support/seed.ts';

const server = await openServer();
const submit = '/login/factor/submit';
const mfa = 'urn:gatehouse:mfa';

const asking = (client: TestClient, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', scope: 'openid', ...more });

async function claimsOf(client: TestClient, page: Page): Promise<Record<string, unknown>> {
  const { body } = await redeem(server, client, answerOf(page).code ?? '');
  return decodeJwt(String(body.id_token));
}

test('an authorization request survives both sign-in steps, and the ID token has amr and acr', async () => {
  const user = await newUserWithApp();
  const client = await newClient({ firstParty: true });
  const person = new Person(server, user.username);
  const step = await person.signInAt(await person.open(asking(client, { state: 'x y' })));
  expect(step.at).toMatch(/^\/login\/factor\?flow=/);
  const again = await person.submit(step, submit, { code: wrongCode(user.secret) });
  expect(again.at).toMatch(/^\/login\/factor\?flow=/);
  const end = await person.submit(again, submit, { code: codeOf(user.secret) });
  expect(answerOf(end).state).toBe('x y');
  expect(await claimsOf(client, end)).toMatchObject({
    amr: ['pwd', 'otp', 'mfa'],
    acr: mfa,
    sub: user.id,
  });
});

test('a passkey alone counts as two factors in amr and acr, and a password alone as one', async () => {
  const client = await newClient({ firstParty: true });
  const { authenticator } = await newPersonWithPasskey(server, { synced: true });
  const person = new Person(server);
  const page = await person.open(asking(client));
  const { options, challenge } = await ask(person, page, 'sign-in');
  const end = await postAnswer(
    person,
    page,
    '/login/passkey/submit',
    authenticator.get(options),
    challenge,
  );
  expect(await claimsOf(client, end)).toMatchObject({ amr: ['swk', 'user', 'mfa'], acr: mfa });

  const plain = new Person(server, (await newUser()).username);
  expect(
    await claimsOf(
      client,
      await plain.authorize({ client_id: client.id, response_type: 'code', scope: 'openid' }),
    ),
  ).toMatchObject({
    amr: ['pwd'],
    acr: 'urn:gatehouse:single',
  });
});

test('the password step of one flow does not open the second step of another flow', async () => {
  const user = await newUserWithApp();
  const client = await newClient();
  const person = new Person(server, user.username);
  const other = await person.open(asking(client));
  const step = await person.signInAt(await person.open(asking(client)));
  const foreign = {
    ...step,
    forms: [
      {
        ...step.forms[0],
        fields: { ...step.forms[0]?.fields, flow: other.forms[0]?.fields.flow ?? '' },
      },
    ],
  };
  const end = await person.submit(foreign as Page, submit, { code: codeOf(user.secret) });
  expect(end.at).toMatch(/^\/login\?flow=/);
});

test('prompt=login asks for both steps again, and replaces the session cookie', async () => {
  const user = await newUserWithApp();
  const client = await newClient({ firstParty: true });
  const person = new Person(server, user.username);
  await person.submit(await person.signIn(), submit, { code: codeOf(user.secret) });
  const before = person.cookies.get('gh_session');
  const login = await person.open(asking(client, { prompt: 'login' }));
  expect(login.at).toMatch(/^\/login\?/);
  const step = await person.signInAt(login);
  expect(step.at).toMatch(/^\/login\/factor/);
  expect(person.cookies.get('gh_session')).toBe(before);
  const end = await person.submit(step, submit, { code: codeOf(user.secret, 1) });
  expect(answerOf(end).code).toBeDefined();
  expect(person.cookies.get('gh_session')).not.toBe(before);
});

/** Makes a person's sessions look as if only the password had been given. */
async function provedByPassword(userId: string): Promise<void> {
  await (await prisma()).session.updateMany({ where: { userId }, data: { amr: 'pwd' } });
}

test('acr_values asks only users who have a second factor for it, and is voluntary for others', async () => {
  const client = await newClient({ firstParty: true });
  const { user, person } = await newPersonWithPasskey(server);
  await provedByPassword(user.id);
  expect((await person.open(asking(client))).at).toMatch(/^https:/);
  const login = await person.open(asking(client, { acr_values: mfa }));
  expect(login.at).toMatch(/^\/login\?flow=/);
  expect((await person.signInAt(login, user.username)).at).toMatch(/^\/login\/factor\?flow=/);
  const silent = await person.open(asking(client, { acr_values: mfa, prompt: 'none' }));
  expect(answerOf(silent).error).toBe('login_required');
  expect(
    (await person.open(asking(client, { acr_values: `${mfa} urn:gatehouse:single` }))).at,
  ).toMatch(/^https:/);

  const plain = new Person(server, (await newUser()).username);
  const wish = await plain.authorize({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid',
    acr_values: mfa,
  });
  expect(await claimsOf(client, wish)).toMatchObject({ acr: 'urn:gatehouse:single' });
});

const insisting = {
  claims: JSON.stringify({ id_token: { acr: { essential: true, values: [mfa] } } }),
};
const enrol = '/login/enrol/submit';

test('acr as an essential claim: a user without a second factor sets one up during sign-in', async () => {
  const client = await newClient({ firstParty: true, name: 'Bank' });
  const freshPerson = new Person(server, (await newUser()).username);
  const known = await newPerson(server);
  for (const person of [freshPerson, known]) {
    const login = await person.open(asking(client, { ...insisting, state: 'kept' }));
    expect(login.at).toMatch(/^\/login\?flow=/);
    const page = await person.signInAt(login);
    expect(page.at).toMatch(/^\/login\/enrol\?flow=/);
    expect(textOf(page.html)).toContain('Bank requires two-step sign-in');
    const shown = await person.submit(page, enrol, { code: codeOf(secretOn(page)) });
    const end = await person.submit(shown, '/account/security/codes/kept');
    expect(answerOf(end).state).toBe('kept');
    expect(await claimsOf(client, end)).toMatchObject({ acr: mfa, amr: ['pwd', 'otp', 'mfa'] });
    // From then on no page comes in between, and silent requests work too.
    expect(
      answerOf(await person.open(asking(client, { ...insisting, prompt: 'none' }))).code,
    ).toBeDefined();
  }
});

test('acr as an essential claim: a user with a second factor is asked; prompt=none gives login_required', async () => {
  const client = await newClient({ firstParty: true });
  const { user, person } = await newPersonWithPasskey(server);
  await provedByPassword(user.id);
  const login = await person.open(asking(client, insisting));
  expect((await person.signInAt(login, user.username)).at).toMatch(/^\/login\/factor\?flow=/);
  for (const each of [person, await newPerson(server), new Person(server)]) {
    expect(answerOf(await each.open(asking(client, { ...insisting, prompt: 'none' }))).error).toBe(
      'login_required',
    );
  }
});

test('acr as an essential claim: a password sign-in in another tab does not satisfy it', async () => {
  const client = await newClient();
  const user = await newUser();
  const person = new Person(server, user.username);
  const login = await person.open(asking(client, insisting));
  expect((await person.signIn()).at).toBe('/account');
  expect((await person.open(login.at.replace('/login', '/oauth/continue'))).at).toMatch(
    /^\/login\?flow=/,
  );
  expect((await person.open(login.at.replace('/login', '/consent'))).at).toMatch(/^\/login\?flow=/);
  expect((await person.open(login.at.replace('/login?', '/login/enrol?'))).at).toMatch(
    /^\/login\?flow=/,
  );
});

test('session fixation: a session planted before the second step ends, and the user gets another', async () => {
  const client = await newClient({ firstParty: true });
  const attacker = await newPerson(server);
  const user = await newUserWithApp();
  const planted = attacker.cookies.get('gh_session') ?? '';
  const victim = new Person(server, user.username);
  victim.cookies.set('gh_session', planted);
  const step = await victim.signInAt(await victim.open(asking(client, { prompt: 'login' })));
  expect(step.at).toMatch(/^\/login\/factor/);
  const end = await victim.submit(step, submit, { code: codeOf(user.secret) });
  expect(await claimsOf(client, end)).toMatchObject({ sub: user.id });
  expect(victim.cookies.get('gh_session')).not.toBe(planted);
  expect((await attacker.open('/account')).at).toMatch(/^\/login/);
  expect((await victim.open('/account')).at).toBe('/account');
});

test('a second step planted by another user is not continued', async () => {
  const attacker = await newUserWithApp();
  const victim = new Person(server);
  const thief = new Person(server, attacker.username);
  const page = await thief.signIn();
  await victim.open('/login');
  victim.cookies.set('gh_step', thief.cookies.get('gh_step') ?? '');
  expect((await victim.open(page.at)).at).toBe('/login');
});
