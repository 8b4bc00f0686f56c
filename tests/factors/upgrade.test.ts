import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { write } from '#lib/store/engine/database.ts';
import { listPasskeys } from '#lib/store/passkeys.ts';
import { Authenticator } from '../support/authenticator.ts';
import {
  ask,
  atSecondStep,
  codeOf,
  newPersonWithPasskey,
  newUserWithApp,
  postAnswer,
} from '../support/factors.ts';
import { openServer } from '../support/open-server.ts';
import { newVisitor, Person } from '../support/person.ts';
import { set } from '../support/settings.ts';

// Passkeys that browsers create on their own: WebAuthn level 3, conditional create.
const server = await openServer();
const action = '/account/security/passkey/upgrade';
const alone = { absent: true, verified: false };
const mark = 'data-upgrade';

/** A user who has just signed in with a password and a code. */
async function signedIn() {
  const user = await newUserWithApp();
  const { person, page } = await atSecondStep(server, user);
  const home = await person.submit(page, '/login/factor/submit', { code: codeOf(user.secret) });
  return { user, person, home };
}
const made = (options: Parameters<Authenticator['create']>[0], flaw = {}) =>
  new Authenticator(server.issuer, { synced: true }).create(options, { ...alone, ...flaw });

test('automatic passkey upgrade: made once after password and second step, and recorded in the audit log', async () => {
  const { user, person, home } = await signedIn();
  expect(home.html).toContain(mark);
  const { options, challenge } = await ask(person, home, 'upgrade');
  expect(options).toMatchObject({ rp: { id: 'localhost' }, excludeCredentials: [] });
  await postAnswer(person, home, action, made(options), challenge);
  expect(await listPasskeys(user.id)).toMatchObject([{ syncable: true }]);
  const { rows } = await listAudit({ userId: user.id, type: 'factor.added' });
  expect(rows[0]).toMatchObject({ actor: user.id, detail: { kind: 'passkey' } });
  await postAnswer(person, home, action, made(options), challenge);
  expect(await listPasskeys(user.id)).toHaveLength(1);
  expect((await person.open('/account')).html).not.toContain(mark);
  expect((await ask(person, home, 'upgrade')).status).toBe(403);
});

test('automatic passkey upgrade: only its own challenge allows an answer without user presence', async () => {
  const { user, person, home } = await signedIn();
  const add = '/account/security/passkey/submit';
  const usual = await ask(person, home, 'add');
  await postAnswer(person, home, add, made(usual.options), usual.challenge);
  const other = await ask(person, home, 'add');
  await postAnswer(person, home, action, made(other.options), other.challenge);
  const silent = await ask(person, home, 'upgrade');
  await postAnswer(person, home, add, made(silent.options), silent.challenge);
  expect(await listPasskeys(user.id)).toEqual([]);
});

test('automatic passkey upgrade: the challenge belongs to its user, browser and origin', async () => {
  const one = await signedIn();
  const other = await signedIn();
  const asked = await ask(one.person, one.home, 'upgrade');
  await postAnswer(other.person, other.home, action, made(asked.options), asked.challenge);
  for (const flaw of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
    const { options, challenge } = await ask(one.person, one.home, 'upgrade');
    await postAnswer(one.person, one.home, action, made(options, flaw), challenge);
  }
  for (const { user } of [one, other]) expect(await listPasskeys(user.id)).toEqual([]);
});

test('automatic passkey upgrade: not after a password alone, an old sign-in, nor with a passkey or no session', async () => {
  const plain = await newVisitor(server);
  const page = await plain.signIn();
  const old = await signedIn();
  const before = await ask(old.person, old.home, 'upgrade');
  const past = new Date(Date.now() - 3600_000);
  await write('UPDATE sessions SET auth_time = :past WHERE user_id = :id', {
    id: old.user.id,
    past,
  });
  await postAnswer(old.person, old.home, action, made(before.options), before.challenge);
  expect(await listPasskeys(old.user.id)).toEqual([]);
  const has = await newPersonWithPasskey(server);
  const stranger = new Person(server);
  const login = await stranger.open('/login');
  for (const [person, at] of [
    [plain, page] as const,
    [old.person, old.home] as const,
    [has.person, has.page] as const,
    [stranger, login] as const,
  ]) {
    expect((await ask(person, at, 'upgrade')).status).toBe(403);
    expect((await person.open('/account')).html).not.toContain(mark);
  }
});

test('automatic passkey upgrade: not with PASSKEY_UPGRADE off, even after the challenge', async () => {
  const { user, person, home } = await signedIn();
  const { options, challenge } = await ask(person, home, 'upgrade');
  await set('PASSKEY_UPGRADE', 'off');
  try {
    await postAnswer(person, home, action, made(options), challenge);
    expect(await listPasskeys(user.id)).toEqual([]);
    expect((await person.open('/account')).html).not.toContain(mark);
  } finally {
    await set('PASSKEY_UPGRADE', null);
  }
});
