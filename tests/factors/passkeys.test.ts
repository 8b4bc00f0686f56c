import { describe, expect, test } from 'vitest';
import { listPasskeys } from '#lib/store/passkeys.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codesOn,
  confirmedByPasskey,
  newPersonWithPasskey,
  postAnswer,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newVisitor, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser, password } from '../support/seed.ts';

const server = await openServer();
const signIn = '/login/passkey/submit';
const second = '/login/factor/submit';
const add = '/account/security/passkey/submit';

describe('a passkey for an earlier address of the server', () => {
  const move = async (userId: string) =>
    (await prisma()).passkey.updateMany({ where: { userId }, data: { rpId: 'id.old.example' } });

  test('is not offered at the second step, which says why and still takes place', async () => {
    const { user, page: shown } = await newPersonWithPasskey(server);
    const [code = ''] = codesOn(shown);
    await move(user.id);
    const { person, page } = await atSecondStep(server, user);
    expect(page.at).toContain('/login/factor');
    expect(page.html).not.toContain('Use your passkey');
    expect(textOf(page.html)).toContain('belongs to an earlier address of this server');
    expect(page.html).toMatch(/<details[^>]* open/);
    await person.submit(page, second, { recovery_code: code });
    const security = await person.open('/account/security');
    expect(textOf(security.html)).toContain('Works at id.old.example only');
  });

  test('leads a user without another way to an administrator', async () => {
    const { user } = await newPersonWithPasskey(server);
    await move(user.id);
    await (await prisma()).recoveryCode.deleteMany({ where: { userId: user.id } });
    const shown = textOf((await atSecondStep(server, user)).page.html);
    expect(shown).toContain('Your administrator can let you in without it.');
    expect(shown).not.toContain('Can’t use any of these?');
  });

  test('may be replaced by a new one on the same device', async () => {
    const { user, person } = await newPersonWithPasskey(server);
    await move(user.id);
    const { options } = await ask(person, await person.open('/account/security'), 'add');
    expect(options).toMatchObject({ excludeCredentials: [] });
  });
});

test('answers of passkeys that nobody has leave nothing behind', async () => {
  await newUser();
  const person = new Person(server);
  const page = await person.open('/login');
  const spent = async () => (await prisma()).spentValue.count();
  const before = await spent();
  for (let times = 0; times < 3; times += 1) {
    const { options, challenge } = await ask(person, page, 'sign-in');
    const answer = new Authenticator(server.issuer).get(options);
    const end = await postAnswer(person, page, signIn, answer, challenge);
    expect(textOf(end.html)).toContain('passkey');
  }
  expect(await spent()).toBe(before);
});

describe('adding a passkey', () => {
  test('the first passkey brings recovery codes, keeps its properties, can be renamed and removed', async () => {
    const { user, person, page, authenticator } = await newPersonWithPasskey(server, {
      synced: true,
    });
    expect(page.at).toBe('/account/security/codes');
    expect(codesOn(page)).toHaveLength(10);
    const [passkey] = await listPasskeys(user.id);
    expect(passkey).toMatchObject({
      name: 'Passkey',
      counter: 0,
      syncable: true,
      backedUp: true,
      transports: ['internal'],
    });
    expect(passkey?.id).toBe(authenticator.id.toString('base64url'));

    const security = await person.open('/account/security');
    const renamed = await person.submit(security, '/account/security/rename/submit', {
      name: 'My laptop',
    });
    expect(textOf(renamed.html)).toContain('My laptop');
    const removed = await person.submit(renamed, '/account/security/remove/submit', {
      passkey: passkey?.id ?? '',
      ...(await confirmedByPasskey(person, renamed, authenticator)),
    });
    expect(textOf(removed.html)).toContain('Passkey removed');
    expect(await listPasskeys(user.id)).toEqual([]);
  });

  test('the options name this host and user, and exclude the passkeys the user has', async () => {
    const { user, person, authenticator } = await newPersonWithPasskey(server);
    const { options } = await ask(person, await person.open('/account/security'), 'add');
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(user.id).toString('base64url'), name: user.username },
      attestation: 'none',
      excludeCredentials: [{ id: authenticator.id.toString('base64url') }],
    });
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
  ])('an answer for %s is refused', async (_, flaw) => {
    const user = await newUser();
    const person = new Person(server, user.username);
    await person.signIn();
    const page = await person.open('/account/security');
    const { options, challenge } = await ask(person, page, 'add');
    const answer = new Authenticator(server.issuer).create(options, flaw);
    expect(textOf((await postAnswer(person, page, add, answer, challenge)).html)).toContain(
      'couldn’t be added',
    );
    expect(await listPasskeys(user.id)).toEqual([]);
  });

  test('a credential of another user, and the challenge of another user, are refused', async () => {
    const first = await newPersonWithPasskey(server);
    const other = await newVisitor(server);
    await other.signIn();
    const page = await other.open('/account/security');
    const own = await ask(other, page, 'add');
    const copied = first.authenticator.create(own.options);
    expect(textOf((await postAnswer(other, page, add, copied, own.challenge)).html)).toContain(
      'couldn’t be added',
    );

    const foreign = await ask(first.person, await first.person.open('/account/security'), 'add');
    const answer = new Authenticator(server.issuer).create(foreign.options);
    expect(textOf((await postAnswer(other, page, add, answer, foreign.challenge)).html)).toContain(
      'couldn’t be added',
    );
  });

  test('a challenge is not accepted from the next user in the same browser', async () => {
    const user = await newUser();
    const other = await newUser();
    const person = new Person(server, user.username);
    await person.signIn();
    const { options, challenge } = await ask(person, await person.open('/account/security'), 'add');
    person.cookies.delete('gh_session');
    await person.signIn(other.username);
    const page = await person.open('/account/security');
    await postAnswer(
      person,
      page,
      add,
      new Authenticator(server.issuer).create(options),
      challenge,
    );
    expect([...(await listPasskeys(user.id)), ...(await listPasskeys(other.id))]).toEqual([]);
  });

  test('the challenge is refused without a recent sign-in', async () => {
    const user = await newUser();
    const person = new Person(server, user.username);
    expect((await ask(person, await person.open('/login'), 'add')).status).toBe(403);
    await person.signIn();
    await (await prisma()).session.updateMany({
      where: { userId: user.id },
      data: { authTime: new Date(Date.now() - 16 * 60_000) },
    });
    const page = await person.open('/account/security');
    expect(page.html).not.toContain('&quot;add&quot;');
    expect((await ask(person, page, 'add')).status).toBe(403);
    expect(textOf((await postAnswer(person, page, add, '{}', '')).html)).toContain(
      'Nothing has changed yet',
    );
    const confirm = '/account/security/confirm/submit';
    const again = await person.submit(page, confirm, { confirm_password: password });
    expect(textOf(again.html)).toContain('Confirmed');
    expect((await ask(person, again, 'add')).status).toBe(200);
  });
});

describe('a passkey as the second factor', () => {
  test('signs in after the password, once per challenge', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server);
    const { person, page } = await atSecondStep(server, user);
    const { options, challenge } = await ask(person, page, 'factor');
    expect(options.allowCredentials).toEqual([
      expect.objectContaining({ id: authenticator.id.toString('base64url') }),
    ]);
    const answer = authenticator.get(options);
    expect((await postAnswer(person, page, second, answer, challenge)).at).toBe('/account');
    expect((await listPasskeys(user.id))[0]?.counter).toBe(1);

    const again = await atSecondStep(server, user);
    const replayed = await postAnswer(again.person, again.page, second, answer, challenge);
    expect(replayed.at).toBe('/login/factor');
    const next = await ask(again.person, again.page, 'factor');
    const fresh = authenticator.get(next.options, { verified: false });
    expect((await postAnswer(again.person, again.page, second, fresh, next.challenge)).at).toBe(
      '/account',
    );
  });

  test('signs in once when the same answer is sent three times at the same moment', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server, { synced: true });
    const { person, page } = await atSecondStep(server, user);
    const { options, challenge } = await ask(person, page, 'factor');
    const answer = authenticator.get(options);
    const ends = await Promise.all(
      [1, 2, 3].map(() => postAnswer(person, page, second, answer, challenge)),
    );
    const events = await (await prisma()).auditEvent.findMany({
      where: { userId: user.id, type: 'sign-in.success' },
    });
    expect(events.filter(({ detail }) => detail.includes('swk'))).toHaveLength(1);
    expect(ends.some(({ at }) => at === '/account')).toBe(true);
  });

  test('is refused if its counter does not grow', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server);
    const first = await atSecondStep(server, user);
    const one = await ask(first.person, first.page, 'factor');
    expect(
      (
        await postAnswer(
          first.person,
          first.page,
          second,
          authenticator.get(one.options),
          one.challenge,
        )
      ).at,
    ).toBe('/account');
    const next = await atSecondStep(server, user);
    const two = await ask(next.person, next.page, 'factor');
    const copy = authenticator.get(two.options, { counter: 1 });
    expect((await postAnswer(next.person, next.page, second, copy, two.challenge)).at).toBe(
      '/login/factor',
    );
  });

  test('is refused with a challenge for adding a passkey', async () => {
    const { user, person, authenticator } = await newPersonWithPasskey(server);
    const { options, challenge } = await ask(person, await person.open('/account/security'), 'add');
    const client = await newClient();
    const login = await person.open(
      authorizePath({ client_id: client.id, response_type: 'code', prompt: 'login' }),
    );
    const page = await person.signInAt(login, user.username);
    const answer = authenticator.get({ ...options, rpId: 'localhost' });
    expect((await postAnswer(person, page, second, answer, challenge)).at).toMatch(
      /^\/login\/factor/,
    );
  });

  test('is refused if it belongs to another user', async () => {
    const mine = await newPersonWithPasskey(server);
    const other = await newPersonWithPasskey(server);
    const { person, page } = await atSecondStep(server, mine.user);
    const { options, challenge } = await ask(person, page, 'factor');
    const answer = other.authenticator.get(options);
    expect((await postAnswer(person, page, second, answer, challenge)).at).toBe('/login/factor');
    expect(
      (await ask(new Person(server), await new Person(server).open('/login'), 'factor')).status,
    ).toBe(400);
  });
});

describe('a passkey instead of a password', () => {
  test('signs in its owner, with user verification', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server);
    const person = new Person(server);
    const page = await person.open('/login');
    const { options, challenge } = await ask(person, page, 'sign-in');
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(options.allowCredentials).toBeUndefined();
    const home = await postAnswer(person, page, signIn, authenticator.get(options), challenge);
    expect(home.at).toBe('/account');
    expect(textOf(home.html)).toContain(user.username);
  });

  test.each([
    ['without verifying its person', { verified: false }],
    ['for another person', { userHandle: Buffer.from('0'.repeat(32)).toString('base64url') }],
    ['for another origin', { origin: 'https://evil.example' }],
  ])('does not sign in %s', async (_, flaw) => {
    const { authenticator } = await newPersonWithPasskey(server);
    const person = new Person(server);
    const page = await person.open('/login');
    const { options, challenge } = await ask(person, page, 'sign-in');
    const end = await postAnswer(person, page, signIn, authenticator.get(options, flaw), challenge);
    expect(end.at).toBe('/login');
    expect(textOf(end.html)).toContain('That passkey didn’t work');
    expect(person.cookies.has('gh_session')).toBe(false);
  });

  test('is refused with a challenge of another browser or another use', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server);
    const [one, other] = [new Person(server), new Person(server)];
    const asked = await ask(one, await one.open('/login'), 'sign-in');
    const answer = authenticator.get(asked.options);
    expect(
      (await postAnswer(other, await other.open('/login'), signIn, answer, asked.challenge)).at,
    ).toBe('/login');

    const step = await atSecondStep(server, user);
    const factor = await ask(step.person, step.page, 'factor');
    const wrongUse = await postAnswer(
      step.person,
      step.page,
      signIn,
      authenticator.get(factor.options),
      factor.challenge,
    );
    expect(wrongUse.at).toBe('/login');
  });

  test('does not sign in a disabled user', async () => {
    const { user, authenticator } = await newPersonWithPasskey(server);
    await (await prisma()).user.update({
      where: { id: user.id },
      data: { disabledAt: new Date() },
    });
    const person = new Person(server);
    const page = await person.open('/login');
    const { options, challenge } = await ask(person, page, 'sign-in');
    expect((await postAnswer(person, page, signIn, authenticator.get(options), challenge)).at).toBe(
      '/login',
    );
  });
});
