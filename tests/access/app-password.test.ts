import { expect, test } from 'vitest';
import { proveAppPassword } from '#lib/access/app-password.ts';
import { config } from '#lib/config.ts';
import {
  appPasswordHash,
  looksLikeAppPassword,
  newAppPassword,
} from '#lib/identity/app-passwords.ts';
import { disableClient, enableClient, updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { signOutEverywhere } from '#lib/management/session/sessions.ts';
import * as users from '#lib/management/user/users.ts';
import { shownOf } from '#lib/oauth/facts.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { appPasswordList, storeAppPassword } from '#lib/store/app-passwords.ts';
import { findClient } from '#lib/store/clients.ts';
import { findUser } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser, password } from '../support/seed.ts';
import { set } from '../support/settings.ts';

const cli = { id: 'cli' };
const now = () => new Date();
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
let addresses = 0;
/** One that no other test has used. */
const newAddress = () => `198.51.${100 + (addresses >> 8)}.${addresses++ & 255}`;

type More = { networks?: string[]; secondFactor?: boolean; expiresAt?: Date | null };

/** A person with an app password for an app, who sends it from an address of their own. */
async function scene(more: More = {}) {
  const person = await newUser();
  const client = await newClient({ appPasswords: true });
  const text = newAppPassword();
  const user = await findUser(person.id);
  if (!user) throw new Error('There is no such person.');
  const made = {
    id: newId(now()),
    hash: appPasswordHash(text) ?? '',
    userId: user.id,
    userEpoch: user.epoch,
    clientId: client.id,
    name: 'Phone',
    networks: [],
    secondFactor: false,
    createdAt: now(),
    expiresAt: null,
    ...more,
  };
  expect(await storeAppPassword(made, { type: 'app-password.made' }, [])).toBe('stored');
  const address = newAddress();
  return { person, client, text, address, id: made.id };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** 'good', or the rule that refuses it. */
async function tried(
  { client, text, address }: Pick<Scene, 'client' | 'text' | 'address'>,
  sent: { login?: string | null; address?: string | null; now?: Date; text?: string } = {},
) {
  const found = await findClient(client.id);
  if (!found) throw new Error('There is no such app.');
  const proof = await proveAppPassword(found, sent.text ?? text, {
    login: null,
    address,
    now: now(),
    ...sent,
  });
  return proof.fate === 'good' ? 'good' : (proof.refusal.facts?.rule ?? proof.refusal.code);
}

test('an app password has 140 bits, and is the same however it is typed', () => {
  const made = newAppPassword();
  expect(made).toMatch(/^ghap(-[0-9a-hjkmnp-tv-z]{4}){7}$/);
  const hash = appPasswordHash(made);
  for (const typed of [
    made.toUpperCase(),
    made.replaceAll('-', ''),
    made.replaceAll('-', ' '),
    ` ${made}\n`,
    made.replaceAll('-', '–'),
    made.replaceAll('1', 'l').replaceAll('0', 'O'),
  ])
    expect(appPasswordHash(typed), typed).toBe(hash);
  for (const other of [made.slice(0, -1), `${made}a`, made.replace('ghap', 'ghax'), 'ghap', ''])
    expect(appPasswordHash(other), other).toBeNull();
  expect(looksLikeAppPassword(made.toUpperCase().slice(0, -2))).toBe(true);
  expect(looksLikeAppPassword('correct horse battery staple')).toBe(false);
  expect(shownOf(`password=${made}`)).not.toContain(made.slice(-9));
});

onEachDatabase(() => {
  test('an app password is good for its app and its person alone', async () => {
    const at = await scene();
    const { username, email } = at.person;
    for (const login of [null, username, username.toUpperCase(), email])
      expect(await tried(at, { login })).toBe('good');
    expect(await tried(at, { login: 'somebody' })).toBe('app-password.other-login');
    const other = await newClient({ appPasswords: true });
    expect(await tried({ ...at, client: other })).toBe('app-password.other-app');
    expect(await tried(at, { text: newAppPassword() })).toBe('app-password.unknown');
    expect(await tried(at, { text: password })).toBe('app-password.unknown');
    expect(await tried(at, { text: '' })).toBe('app-password.unknown');
  });

  test('it works until its end, and in its networks', async () => {
    const at = await scene({ networks: ['192.0.2.0/24'], expiresAt: later(60) });
    expect(await tried(at, { address: '192.0.2.7' })).toBe('good');
    expect(await tried(at, { address: '192.0.3.7' })).toBe('app-password.network');
    expect(await tried(at, { address: null })).toBe('app-password.network');
    expect(await tried(at, { address: '192.0.2.7', now: later(61) })).toBe('app-password.expired');
  });

  const client = (change: Parameters<typeof updateClient>[1]) => (at: Scene) =>
    updateClient(at.client.id, change, { actor: cli, now: now() });
  test.each<[string, (at: Scene) => Promise<unknown>, string]>([
    ['the app takes none', client({ appPasswords: false }), 'app-password.off'],
    ['the app is disabled', (at) => disableClient(at.client.id, cli, now()), 'client.disabled'],
    ['the person is not listed', client({ access: 'listed' }), 'access.not-listed'],
    ['they are elsewhere', client({ networks: ['192.0.2.0/24'] }), 'access.network'],
    ['the app wants two factors', client({ requireSecondFactor: true }), 'second-factor-required'],
    [
      'two factors are required of them',
      (at) => users.requireSecondFactor(at.person.id, true, cli, now()),
      'second-factor-required',
    ],
  ])('it is refused from the next request on when %s', async (_, change, rule) => {
    const at = await scene();
    expect(await tried(at)).toBe('good');
    await change(at);
    expect(await tried(at)).toBe(rule);
  });

  test('made with two factors, it is good where two are required', async () => {
    const at = await scene({ secondFactor: true });
    await client({ requireSecondFactor: true })(at);
    expect(await tried(at)).toBe('good');
  });

  test('it works again when the app is enabled and the person is listed again', async () => {
    const at = await scene();
    await disableClient(at.client.id, cli, now());
    await enableClient(at.client.id, cli, now());
    expect(await tried(at)).toBe('good');
    await client({ access: 'listed' })(at);
    const listing = { groups: [], people: [at.person.id] };
    await allow(at.client.id, listing, [], now());
    expect(await tried(at)).toBe('good');
    await disallow(at.client.id, listing, [], now());
    expect(await tried(at)).toBe('access.not-listed');
  });

  test('it ends with the last day of the person’s place on the list', async () => {
    const at = await scene();
    await client({ access: 'listed' })(at);
    const listing = { groups: [], people: [at.person.id], endsAt: later(120) };
    await allow(at.client.id, listing, [], now());
    expect(await tried(at)).toBe('good');
    expect(await tried(at, { now: later(121) })).toBe('access.not-listed');
  });

  test.each<[string, (at: Scene) => Promise<unknown>]>([
    ['they are disabled', ({ person }) => users.disableUser(person.id, cli, now())],
    [
      'their password is reset',
      ({ person }) => users.resetPassword(person.id, password, cli, now()),
    ],
    ['they are signed out everywhere', ({ person }) => signOutEverywhere(person.id, cli, now())],
    ['they become an admin', ({ person }) => users.setRole(person.id, 'admin', cli, now())],
    ['they are deleted', ({ person }) => users.deleteUser(person.id, cli, now())],
    [
      'the app is withdrawn',
      ({ person, client }) => revokeGrants({ user: person.id, client: client.id }, cli, now()),
    ],
  ])('it ends for good when %s, and those of others do not', async (_, end) => {
    const at = await scene();
    const other = await scene();
    await end(at);
    expect(await tried(at)).toBe('app-password.unknown');
    expect((await appPasswordList.page({ userId: at.person.id })).rows).toEqual([]);
    await users.enableUser(at.person.id, cli, now()).catch(() => {});
    expect(await tried(at)).toBe('app-password.unknown');
    expect(await tried(other)).toBe('good');
  });

  test('a setting refuses all of them', async () => {
    const at = await scene();
    await set('APP_PASSWORDS', 'off');
    expect(await tried(at)).toBe('app-password.off');
    await set('APP_PASSWORDS', null);
    expect(await tried(at)).toBe('good');
  });

  test('wrong ones are limited by their address, and never take the door from others or a good one', async () => {
    const at = await scene();
    const { failedRequests } = config();
    const { perAddress } = failedRequests;
    failedRequests.perAddress = 5;
    try {
      const found = await findClient(at.client.id);
      const answers: unknown[] = [];
      for (let count = 0; found && count < 7; count += 1) {
        const sent = { login: at.person.username, address: at.address, now: now() };
        const proof = await proveAppPassword(found, newAppPassword(), sent);
        answers.push('refusal' in proof && proof.refusal.code);
        expect('refusal' in proof && proof.refusal.facts?.rule).toBe('app-password.unknown');
      }
      const wrong = Array(5).fill('invalid_grant');
      expect(answers).toEqual([...wrong, 'temporarily_unavailable', 'temporarily_unavailable']);
    } finally {
      failedRequests.perAddress = perAddress;
    }
    expect(await tried(at)).toBe('good');
    expect(await tried(at, { address: newAddress() })).toBe('good');
  });
});
