import { describe, expect, test } from 'vitest';
import { textIn } from '#lib/messages/text.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { listPasskeys } from '#lib/store/passkeys.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codeOf,
  confirmedBy,
  confirmedByPasskey,
  newPersonWithPasskey,
  newUserWithApp,
  postAnswer,
  secretOn,
  wrongCode,
} from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newUser, password } from '../support/seed.ts';

const server = await openServer();
const text = textIn('en');
const [username, remove] = ['/account/username/submit', '/account/security/remove/submit'];
const totp = '/account/security/totp/submit';
const confirm = '/account/security/confirm/submit';
const hour = 3_600_000;

/** Makes the person's sign-in an hour old. */
async function age(userId: string): Promise<void> {
  const hourAgo = new Date(Date.now() - hour);
  await write('UPDATE sessions SET auth_time = $2 WHERE user_id = $1', [userId, hourAgo]);
}

async function newAgedPerson() {
  const user = await newUser();
  const person = new Person(server, user.username);
  await person.signIn();
  await age(user.id);
  return { user, person };
}

/** A user with an authenticator app, who used it an hour ago. */
async function newAgedPersonWithApp() {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret, -1) });
  await age(user.id);
  return { user, person };
}

const formAt = ({ forms }: Page, action: string) => forms.find((form) => form.action === action);
/** The parts of a page that are expanded. */
const opened = /<details[^>]* open=""/g;
const nameOf = async (id: string) =>
  (await read<{ username: string }>('SELECT username FROM users WHERE id = $1', [id]))[0]?.username;
const sessionOf = async (id: string) =>
  (
    await read('SELECT hash, cookie_hash, auth_time, amr FROM sessions WHERE user_id = $1', [id])
  )[0];
const events = async (id: string, type: string) =>
  (await read('SELECT id FROM audit_events WHERE user_id = $1 AND type = $2', [id, type])).length;
const hasApp = async (id: string) =>
  (await read('SELECT user_id FROM totp_secrets WHERE user_id = $1', [id])).length === 1;

describe('an account form that needs a fresh sign-in, without JavaScript', () => {
  test('asks for the password in the form, keeps what was typed, and needs one submit', async () => {
    const { user, person } = await newAgedPerson();
    const before = await sessionOf(user.id);
    const thief = new Person(server);
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    const page = await person.open('/account/sign-in');
    expect(formAt(page, username)?.fields).toMatchObject({ confirm_password: '' });
    const wanted = { username: `new-${user.username}` };
    for (const [typed, said] of [
      ['', text('confirm.nothing')],
      ['not-the-password-1', text('confirm.wrong')],
    ] as const) {
      const refused = await person.submit(page, username, { ...wanted, confirm_password: typed });
      expect(refused.at).toBe('/account/sign-in');
      expect(textOf(refused.html)).toContain(said);
      expect(refused.html).not.toContain('not-the-password-1');
      expect(formAt(refused, username)?.fields).toMatchObject({ ...wanted, confirm_password: '' });
    }
    expect(await nameOf(user.id)).toBe(user.username);
    expect(await sessionOf(user.id)).toEqual(before);
    expect(await events(user.id, 'sign-in.failure')).toBe(1);

    const done = await person.submit(page, username, { ...wanted, confirm_password: password });
    expect(textOf(done.html)).toContain(text('username.done'));
    expect(formAt(done, username)?.fields).not.toHaveProperty('confirm_password');
    expect(await nameOf(user.id)).toBe(wanted.username);
    const after = await sessionOf(user.id);
    expect(after?.hash).toBe(before?.hash);
    expect(after?.cookieHash).not.toBe(before?.cookieHash);
    expect(Number(after?.authTime) - Number(before?.authTime)).toBeGreaterThan(hour / 2);
    expect((await thief.request('/account')).status).toBe(307);
  });

  test('asks for the second step too, if the account has one', async () => {
    const { user, person } = await newAgedPersonWithApp();
    const page = await person.open('/account/security');
    const tries: [Record<string, string>, string][] = [
      [{ confirm_password: password }, text('confirm.codeMissing')],
      [{ confirm_password: 'no', confirm_code: codeOf(user.secret) }, text('confirm.wrong')],
      [{ confirm_password: password, confirm_code: wrongCode(user.secret) }, text('confirm.code')],
    ];
    for (const [fields, said] of tries) {
      const refused = await person.submit(page, remove, fields);
      expect(textOf(refused.html)).toContain(said);
      // The form that was submitted is expanded.
      expect(refused.html.match(opened)).toHaveLength(1);
    }
    expect(await hasApp(user.id)).toBe(true);
    const right = { confirm_password: password, confirm_code: codeOf(user.secret) };
    const done = await person.submit(page, remove, right);
    expect(textOf(done.html)).toContain(text('security.doneAppRemoved'));
    expect(await hasApp(user.id)).toBe(false);
    expect((await sessionOf(user.id))?.amr).toBe('pwd otp mfa');
  });

  test('asks in the form when it was opened in time and sent too late', async () => {
    const user = await newUserWithApp();
    const { person, page } = await atSecondStep(server, user);
    await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret, -1) });
    const form = await person.open('/account/sign-in');
    expect(formAt(form, username)?.fields).not.toHaveProperty('confirm_password');
    await age(user.id);
    const asked = await person.submit(form, username, { username: `new-${user.username}` });
    expect(asked.at).toBe('/account/sign-in');
    expect(textOf(asked.html)).toContain(text('confirm.needed'));
    await person.submit(asked, username, confirmedBy(codeOf(user.secret)));
    expect(await nameOf(user.id)).toBe(`new-${user.username}`);
  });

  test('shows the same secret of an authenticator app while it asks for the password', async () => {
    const { user, person } = await newAgedPerson();
    const page = await person.open('/account/security/totp');
    const secret = secretOn(page);
    const code = codeOf(secret);
    const refused = await person.submit(page, totp, { code, confirm_password: 'wrong' });
    expect(textOf(refused.html)).toContain(text('confirm.wrong'));
    expect(secretOn(refused)).toBe(secret);
    expect(await hasApp(user.id)).toBe(false);
    const done = await person.submit(refused, totp, { code, confirm_password: password });
    expect(done.at).toBe('/account/security/codes');
    expect((await sessionOf(user.id))?.amr).toBe('pwd otp mfa');
  });

  test('counts wrong passwords like the sign-in page, and throttles them', async () => {
    const { user, person } = await newAgedPerson();
    const page = await person.open('/account/sign-in');
    const wanted = { username: `new-${user.username}` };
    for (let tries = 0; tries < 10; tries += 1)
      await person.submit(page, username, { ...wanted, confirm_password: `wrong-${tries}` });
    const stopped = await person.submit(page, username, { ...wanted, confirm_password: password });
    expect(textOf(stopped.html)).toContain('Too many attempts');
    expect(await nameOf(user.id)).toBe(user.username);
    expect(await events(user.id, 'sign-in.throttled')).toBe(1);
  });

  test('redirects after a confirmation to pages of this server only', async () => {
    const { user, person } = await newAgedPerson();
    const page = await person.open('/account/security');
    const right = { confirm_password: password };
    const back = { ...right, back: '/account/profile' };
    expect((await person.submit(page, confirm, back)).at).toBe('/account/profile');
    await age(user.id);
    const evil = { ...right, back: 'https://evil.example/' };
    expect((await person.submit(page, confirm, evil)).at).toBe('/account/security');
  });
});

describe('account changes that need more than a fresh sign-in', () => {
  const passwordAt = '/account/password/submit';

  /** A user with an authenticator app, who has just signed in with it. */
  async function newPersonWithApp() {
    const user = await newUserWithApp();
    const { person, page } = await atSecondStep(server, user);
    await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret, -1) });
    return { user, person };
  }

  test('an authenticator app is removed with its code or a recovery code, not with a passkey', async () => {
    const { user, person } = await newPersonWithApp();
    const security = await person.open('/account/security');
    const { options, challenge } = await ask(person, security, 'add');
    const authenticator = new Authenticator(server.issuer);
    const credential = authenticator.create(options);
    await postAnswer(person, security, '/account/security/passkey/submit', credential, challenge);
    const opened = await person.open('/account/security');
    const page = { ...opened, forms: opened.forms.filter(({ fields }) => !fields.passkey) };
    const byPasskey = await confirmedByPasskey(person, page, authenticator);
    for (const [given, said] of [
      [{}, text('confirm.nothing')],
      [confirmedBy(), text('confirm.codeMissing')],
      [byPasskey, text('confirm.otherPasskey')],
    ] as const)
      expect(textOf((await person.submit(page, remove, given)).html)).toContain(said);
    expect(await hasApp(user.id)).toBe(true);
    await person.submit(page, remove, confirmedBy(codeOf(user.secret)));
    expect(await hasApp(user.id)).toBe(false);
  });

  test('a passkey is removed with itself or a recovery code, and with nothing else', async () => {
    const { user, person } = await newPersonWithApp();
    const security = await person.open('/account/security');
    const add = async () => {
      const { options, challenge } = await ask(person, security, 'add');
      const authenticator = new Authenticator(server.issuer);
      const credential = authenticator.create(options);
      await postAnswer(person, security, '/account/security/passkey/submit', credential, challenge);
      return { authenticator, passkey: authenticator.id.toString('base64url') };
    };
    const lost = await add();
    const other = await add();
    const left = async () => (await listPasskeys(user.id)).length;
    const page = await person.open('/account/security');
    const { passkey } = lost;
    const byOther = await confirmedByPasskey(person, page, other.authenticator);
    const byApp = confirmedBy(codeOf(user.secret));
    for (const [given, said] of [
      [byApp, text('confirm.recoveryCode')],
      [byOther, text('confirm.otherPasskey')],
    ] as const) {
      const refused = await person.submit(page, remove, { passkey, ...given });
      expect(textOf(refused.html)).toContain(said);
    }
    expect(await left()).toBe(2);
    await person.submit(page, remove, { passkey, ...confirmedBy(user.codes[0]) });
    expect(await left()).toBe(1);
    const byItself = await confirmedByPasskey(person, page, other.authenticator);
    await person.submit(page, remove, { passkey: other.passkey, ...byItself });
    expect(await left()).toBe(0);
  });

  test('a new password needs the second factor, and a refused one uses up no code', async () => {
    const { user, person } = await newPersonWithApp();
    const page = await person.open('/account/sign-in');
    const byCode = confirmedBy(codeOf(user.secret));
    const change = (fields: Record<string, string>) => person.submit(page, passwordAt, fields);
    const wanted = { new_password: 'entirely other words here' };
    for (const [fields, said] of [
      [{ ...wanted, ...confirmedBy() }, text('confirm.codeMissing')],
      [{ ...wanted, ...confirmedBy(wrongCode(user.secret)) }, text('confirm.code')],
      [{ new_password: 'short', ...byCode }, 'at least'],
    ] as const)
      expect(textOf((await change(fields)).html)).toContain(said);
    expect(textOf((await change({ ...wanted, ...byCode })).html)).toContain('Password changed');
  });

  test('new recovery codes need the second factor, however fresh the sign-in', async () => {
    const { user, person } = await newPersonWithApp();
    const codes = '/account/security/codes/submit';
    const page = await person.open('/account/security');
    expect((await person.submit(page, codes)).at).toBe('/account/security');
    const right = confirmedBy(codeOf(user.secret));
    expect((await person.submit(page, codes, right)).at).toBe('/account/security/codes');
  });
});

describe('a passkey that confirms an account form in place of the password', () => {
  test('is accepted once', async () => {
    const { user, person, authenticator } = await newPersonWithPasskey(server);
    await person.submit(
      await person.open('/account/security/codes'),
      '/account/security/codes/kept',
    );
    await age(user.id);
    const page = await person.open('/account/security');
    const { options, challenge } = await ask(person, page, 'sign-in');
    const answer = { confirm_credential: authenticator.get(options), confirm_challenge: challenge };
    const done = await person.submit(page, remove, answer);
    expect(textOf(done.html)).toContain(text('security.donePasskeyRemoved'));
    // The same answer confirms only once.
    await age(user.id);
    const again = await person.submit(await person.open('/account/sign-in'), username, {
      username: `new-${user.username}`,
      ...answer,
    });
    expect(textOf(again.html)).toContain(text('confirm.passkeyWrong'));
    expect(await nameOf(user.id)).toBe(user.username);
  });

  test('must belong to the signed-in user', async () => {
    const other = await newPersonWithPasskey(server);
    const { user, person } = await newAgedPerson();
    const page = await person.open('/account/sign-in');
    const { options, challenge } = await ask(person, page, 'sign-in');
    for (const credential of [
      other.authenticator.get(options),
      new Authenticator(server.issuer).get(options),
      '{}',
    ]) {
      const refused = await person.submit(page, username, {
        username: `new-${user.username}`,
        confirm_credential: credential,
        confirm_challenge: challenge,
      });
      expect(textOf(refused.html)).toContain(text('confirm.passkeyWrong'));
    }
    expect(await nameOf(user.id)).toBe(user.username);
  });
});
