import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { triesOf } from '#app/login/with/tries.ts';
import { examineProviders } from '#lib/doctor/providers.ts';
import type { HttpRequest } from '#lib/http/message.ts';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { listTraces, showTrace } from '#lib/management/attempt/traces.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { write } from '#lib/store/engine/database.ts';
import { groupsOf } from '#lib/store/group-list.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { takeTries } from '#lib/store/throttles.ts';
import { atProvider, newName, newSub, says, verified, type Way } from '../support/at-provider.ts';
import { codeOf, newUserWithApp } from '../support/factors.ts';
import { newGroup } from '../support/groups.ts';
import { textOf } from '../support/html.ts';
import { type Lies, LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { giveIdentity } from '../support/providers.ts';
import { newUser } from '../support/seed.ts';

const idp = await LyingProvider.open();
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const { newWay, begin, goThrough, newLinked } = atProvider(server, idp);

let sign: Way;
// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
  sign = await newWay();
});

const unknown = 'No account here is linked';

/**
 * Waits for the step that a rule about a provider refused. The server stores it a moment after its
 * answer.
 */
async function refusedBy(rule: Rule, { name }: Way) {
  for (;;) {
    for (const { id } of (await listTraces({ rule, limit: 5 })).rows) {
      const { steps } = await showTrace(id);
      const found = steps.find((step) => step.rule === rule && step.reason?.includes(name));
      if (found) return found;
    }
    await new Person(server).open('/login');
  }
}

describe('Apple as a provider', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  test('accepts the form_post answer from Apple’s site, and signs the client secret with the key', async () => {
    const way = await newWay({
      kind: 'apple',
      sealedSecret: await sealedProviderSecret.seal(pem),
      appleTeamId: 'TEAM123456',
      appleKeyId: 'KEY1234567',
      mayRegister: true,
    });
    const person = new Person(server);
    const there = await begin(person, way);
    const asked = new URL(there.at).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_mode: 'form_post',
      scope: 'openid name email',
    });
    idp.lies = {};
    const email = `${newName()}@example.com`;
    const claims = { sub: newSub(), email, email_verified: 'true' };
    const back = new URL(idp.answer(there.at, claims), server.issuer);
    const fields = { ...Object.fromEntries(back.searchParams), user: '{"name":{}}', id_token: 'x' };
    // The browser comes from another site, without our cookies.
    const posted = await new Person(server).request(back.pathname, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { Origin: 'https://appleid.apple.com', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(posted.status).toBe(303);
    const onward = posted.headers.get('location') ?? '';
    expect(onward).toMatch(new RegExp(`^/login/with/${way.slug}/callback\\?`));
    expect(onward).not.toMatch(/user=|id_token=/);
    const page = await person.open(onward);
    expect(page.at).toMatch(/^\/login\/new/);
    says(page, email);
    const { body } = idp.asked.findLast(({ path }) => path === '/token') ?? {};
    const secret = body?.get('client_secret') ?? '';
    expect(decodeProtectedHeader(secret)).toMatchObject({ alg: 'ES256', kid: 'KEY1234567' });
    expect(decodeJwt(secret)).toMatchObject({
      iss: 'TEAM123456',
      sub: 'gatehouse',
      aud: idp.issuer,
    });
  });

  test('a form_post answer for another kind of provider is refused (405)', async () => {
    const way = await newWay();
    const body = new URLSearchParams({ code: 'x', state: 'y' }).toString();
    const posted = await new Person(server).request(`/login/with/${way.slug}/callback`, {
      method: 'POST',
      body,
    });
    expect(posted.status).toBe(405);
  });
});

test('Discord as a provider: users come from its own API, and only a verified email address counts', async () => {
  const way = await newWay({ kind: 'discord', mayRegister: true });
  const arrive = (user: Record<string, unknown>) => {
    idp.says['/api/users/@me'] = { id: '80351110224678912', username: newName(), ...user };
    return goThrough(new Person(server), way, {});
  };
  const email = `${newName()}@example.com`;
  says(await arrive({ email, verified: false }), unknown);
  expect((await arrive({ email, verified: true })).at).toMatch(/^\/login\/new/);
  for (const id of [null, '', 7, undefined])
    says(await arrive({ email, verified: true, id }), 'couldn’t sign you in');
});

describe('the domains of a provider', () => {
  test('refuse a user of another domain or with an unverified address, and the trace names the domain', async () => {
    const way = await newWay({ domains: ['example.org'], mayRegister: true });
    const person = new Person(server);
    const elsewhere = { sub: newSub(), ...verified(`${newName()}@example.com`) };
    says(await goThrough(person, way, elsewhere), 'Only people from certain organizations');
    expect(await refusedBy('provider.domain', way)).toMatchObject({
      received: 'example.com',
      expected: ['example.org'],
    });
    const mutable = { sub: newSub(), email: `${newName()}@example.org`, email_verified: false };
    says(await goThrough(new Person(server), way, mutable), 'Only people from certain');
    const inside = { sub: newSub(), ...verified(`${newName()}@example.org`) };
    expect((await goThrough(new Person(server), way, inside)).at).toMatch(/^\/login\/new/);
  });

  test('are compared with the claim hd at Google, not with the email address', async () => {
    const way = await newWay({ kind: 'google', domains: ['example.org'], mayRegister: true });
    const person = { ...verified(`${newName()}@example.org`) };
    const arrive = (hd?: string) =>
      goThrough(new Person(server), way, { ...person, sub: newSub(), hd });
    says(await arrive(), 'Only people from certain');
    says(await arrive('evil.example'), 'Only people from certain');
    expect((await arrive('example.org')).at).toMatch(/^\/login\/new/);
  });

  test('are checked at each sign-in of a linked user, too', async () => {
    const way = await newWay();
    const { user, subject } = await newLinked(way);
    await write(`UPDATE providers SET domains = 'example.org', updated_at = :now WHERE id = :id`, {
      id: way.id,
      now: new Date(),
    });
    const page = await goThrough(new Person(server), way, {
      sub: subject,
      ...verified(user.email),
    });
    says(page, 'Only people from certain');
  });
});

test('groups from a provider’s claim are updated at each sign-in, and end where the claim is missing', async () => {
  const staff = await newGroup();
  const boss = await newGroup();
  const other = await newGroup();
  const groups = [
    { value: 'staff', groupId: staff },
    { value: 'boss', groupId: boss },
  ];
  const way = await newWay({ groupsClaim: 'roles', groups });
  const { user, subject } = await newLinked(way);
  const ids = async () => (await groupsOf(user.id)).map(({ id }) => id).toSorted();
  const signIn = (roles: unknown) => goThrough(new Person(server), way, { sub: subject, roles });
  await signIn(['staff', 'boss', 'another']);
  expect(await ids()).toEqual([staff, boss].toSorted());
  await signIn(undefined);
  expect(await ids()).toEqual([]);
  await signIn('staff');
  expect(await ids()).toEqual([staff]);
  await signIn([]);
  expect(await ids()).toEqual([]);
  expect(other).not.toBe(staff);
});

test('groups from a provider’s claim are updated before the second factor, and logged as acts of the system', async () => {
  const group = await newGroup();
  const groups = [{ value: 'staff', groupId: group }];
  const way = await newWay({ groupsClaim: 'roles', groups });
  const user = await newUserWithApp();
  const subject = newSub();
  await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject });
  for (const roles of [['staff'], []]) {
    const page = await goThrough(new Person(server), way, { sub: subject, roles });
    expect(page.at).toBe('/login/factor');
    expect((await groupsOf(user.id)).map(({ id }) => id)).toEqual(roles.map(() => group));
  }
  const { rows } = await listAudit({ userId: user.id, type: 'group', limit: 10 });
  expect(rows.map(({ type, actor, address }) => [type, actor, address !== null])).toEqual([
    ['group.member-removed', 'system', true],
    ['group.member-added', 'system', true],
  ]);
});

test('an identity that is the user’s only way to sign in cannot be unlinked', async () => {
  const way = await newWay();
  const { user, subject } = await newLinked(way);
  await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id: user.id });
  const person = new Person(server);
  await goThrough(person, way, { sub: subject });
  const page = await person.open('/account/sign-in');
  says(await person.submit(page, '/account/providers/remove'), 'This is your only way to sign in.');
  expect(await listIdentities(user.id)).toHaveLength(1);
});

test('failed answers of a provider are limited per address, and other addresses still sign in', async () => {
  const way = await newWay();
  const person = new Person(server);
  const tooMany = 'Too many tries';
  const counted = triesOf({ address: person.address, isShared: false } as HttpRequest, 'provider');
  for (let before = 0; before < 57; before += 1) await takeTries(counted, new Date());
  let tries = 57;
  for (let page = await person.open('/login'); !page.html.includes(tooMany); tries += 1) {
    expect(tries).toBeLessThan(100);
    page = await goThrough(person, way, { sub: newSub() }, { idToken: { nonce: 'another' } });
  }
  expect(tries).toBe(61);
  const { subject } = await newLinked(way);
  expect((await goThrough(new Person(server), way, { sub: subject })).at).toBe('/account');
});

test('a wrong ID token of a provider is in the trace with what was received and expected', async () => {
  const way = await newWay();
  await goThrough(new Person(server), way, { sub: newSub() }, { idToken: { aud: 'another' } });
  const refused = await refusedBy('provider.answer', way);
  expect(refused?.received).toContain('another');
  expect(refused?.expected).toEqual(['gatehouse']);
  expect(refused?.reason).toContain(way.name);
});

test('a provider’s answer is accepted by another process, and its state works once in both', async () => {
  const beside = await server.secondProcess();
  const way = await newWay();
  const { subject } = await newLinked(way);
  const person = new Person(server);
  const there = await begin(person, way);
  const elsewhere = new Person(beside);
  for (const [name, value] of person.cookies) elsewhere.cookies.set(name, value);
  idp.lies = {};
  const back = idp.answer(there.at, { sub: subject });
  expect((await elsewhere.open(back)).at).toBe('/account');
  says(await person.open(back), 'That sign-in is over');
});

describe('back-channel logout by a provider', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const token = (claims: Record<string, unknown>, lies: Lies = {}) =>
    idp.logoutToken({ events: { [event]: {} }, ...claims }, lies);
  const end = async ({ slug }: { slug: string }, logoutToken: string) =>
    (
      await new Person(server).request(`/login/with/${slug}/ended`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
      })
    ).status;
  const isIn = async (person: Person) => (await person.open('/account')).at === '/account';
  async function signedIn(way: Way, sid = newSub()) {
    const { user, subject } = await newLinked(way);
    const person = new Person(server, user.username);
    await goThrough(person, way, { sub: subject, sid });
    expect(await isIn(person)).toBe(true);
    return { person, user, subject, sid };
  }

  test('ends the session of the sid, or all sessions of the sub from this provider, and no other', async () => {
    const way = await newWay();
    const one = await signedIn(way);
    const other = await signedIn(way);
    const second = new Person(server, one.user.username);
    await goThrough(second, way, { sub: one.subject, sid: newSub() });
    const byPassword = new Person(server, one.user.username);
    await byPassword.signIn();
    const asked = textOf((await one.person.open('/logout')).html);
    expect(asked).toContain(`You signed in with ${way.name}`);
    expect((await byPassword.open('/logout')).html).not.toContain(way.name);
    expect(await end(way, await token({ sid: one.sid }))).toBe(200);
    expect([await isIn(one.person), await isIn(second), await isIn(other.person)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await end(way, await token({ sub: one.subject }))).toBe(200);
    expect([await isIn(second), await isIn(byPassword), await isIn(other.person)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('ends the session of an account just created, and one that passed a second factor', async () => {
    const way = await newWay({ mayRegister: true });
    const [sub, sid, person] = [newSub(), newSub(), new Person(server)];
    const page = await goThrough(person, way, {
      sub,
      sid,
      ...verified(`${newName()}@example.com`),
    });
    await person.submit(page, '/login/new/submit', { username: newName() });
    const user = await newUserWithApp();
    const subject = newSub();
    await giveIdentity(user.id, way.id, { issuer: idp.issuer, subject });
    const careful = new Person(server, user.username);
    const factor = await goThrough(careful, way, { sub: subject, sid: newSub() });
    const action = factor.forms.find(({ fields }) => 'code' in fields)?.action ?? '';
    await careful.submit(factor, action, { code: codeOf(user.secret) });
    expect([await isIn(person), await isIn(careful)]).toEqual([true, true]);
    expect(await end(way, await token({ sub, sid }))).toBe(200);
    expect(await end(way, await token({ sub: subject }))).toBe(200);
    expect([await isIn(person), await isIn(careful)]).toEqual([false, false]);
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, Record<string, unknown>, Lies?]>([
    ['is signed by somebody else', {}, { foreignKey: true }],
    ['is not signed', {}, { unsigned: true }],
    ['is for another client', { aud: 'another' }],
    ['is of another issuer', { iss: 'https://evil.example' }],
    ['has ended', { iat: now() - 900, exp: now() - 600 }],
    ['is old', { iat: now() - 3600, exp: now() + 600 }],
    ['has no end', { exp: undefined }],
    ['has a nonce, as an ID token', { nonce: 'x' }],
    ['has no event', { events: undefined }],
    ['has another event', { events: { 'https://schemas.example/other': {} } }],
    ['has no jti', { jti: undefined }],
    ['names nobody', { sub: undefined }],
    ['names an empty subject', { sub: '' }],
    ['names a session by what is no text', { sid: 'a\0b' }],
    ['is an access token', {}, { header: { typ: 'at+jwt' } }],
  ])('with a token that %s ends nothing (400)', async (_, claims, lies) => {
    const { person, subject } = await signedIn(sign);
    expect(await end(sign, await token({ sub: subject, ...claims }, lies))).toBe(400);
    expect(await isIn(person)).toBe(true);
  });

  test('works once, for its own provider, while the provider is enabled', async () => {
    const way = await newWay();
    const other = await newWay();
    const { person, subject, sid } = await signedIn(way);
    const used = await token({ sub: 'somebody-else' });
    expect([await end(way, used), await end(way, used)]).toEqual([200, 400]);
    expect(await end(other, await token({ sub: subject, sid }))).toBe(200);
    expect(await isIn(person)).toBe(true);
    await write('UPDATE providers SET enabled = :no WHERE id = :id', { no: false, id: way.id });
    expect(await end(way, await token({ sub: subject }))).toBe(400);
    expect(await end(way, '')).toBe(400);
    expect(await isIn(person)).toBe(true);
  });
});

test('doctor reports which providers answer, and what is wrong with the others', async () => {
  await write('UPDATE providers SET enabled = :no', { no: false });
  idp.lies = {};
  const good = await newWay();
  const away = await newWay({ issuer: 'http://127.0.0.1:9' });
  const otherwise = await newWay({ issuer: `${idp.issuer}/sub` });
  const lost = await newWay({ sealedSecret: 'sealed by nobody' });
  const found = await examineProviders();
  const about = (way: { name: string }) => found.find(({ says: text }) => text.includes(way.name));
  expect(found).toHaveLength(4);
  expect(about(good)).toMatchObject({ is: 'fine' });
  for (const way of [away, otherwise, lost]) expect(about(way)).toMatchObject({ is: 'trouble' });
  expect(about(away)?.fix).toContain('PROVIDERS_AT_PRIVATE_ADDRESSES');
});
