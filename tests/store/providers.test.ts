import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AccountBasis } from '#lib/store/account-basis.ts';
import type { AuditEntry } from '#lib/store/audit-entry.ts';
import { read, write, writeTogether } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { storeTotp } from '#lib/store/factors.ts';
import { storeGroup } from '#lib/store/groups.ts';
import {
  findIdentity,
  givingIdentity,
  linkIdentity,
  listIdentities,
  mostIdentities,
  noteIdentityUse,
  takingIdentities,
  unlinkIdentity,
} from '#lib/store/identities.ts';
import { storePasskey } from '#lib/store/passkeys.ts';
import {
  changeProvider,
  findProvider,
  listProviders,
  mostGroupsOfProvider,
  mostProviders,
  providersAt,
  removeProvider,
  resealProvider,
  storeProvider,
} from '#lib/store/providers.ts';
import {
  endSessionsFrom,
  type NewSession,
  renewSession,
  storeSession,
} from '#lib/store/sessions.ts';
import { endEverything } from '#lib/store/user-changes.ts';
import { findUser, type User } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { aProvider, giveIdentity, newProvider, newSubject } from '../support/providers.ts';
import { newUser } from '../support/seed.ts';

const now = new Date();
const event = { type: 'provider.updated' } as const;
const linked = { type: 'identity.linked' } as const;
const unlinked = { type: 'identity.unlinked' } as const;

/** A signed-in user. */
async function somebody() {
  const user = await findUser((await newUser()).id);
  if (!user) throw new Error('Nobody is there.');
  const session = sessionOf(user);
  expect(await storeSession(session, now)).toBe('stored');
  return { ...user, sessionHash: session.hash };
}

const unlink = ({ id: userId, sessionHash: keepHash }: Somebody, id = '') =>
  unlinkIdentity({ userId, id, keepHash }, unlinked, now);
type Somebody = Pick<Awaited<ReturnType<typeof somebody>>, 'id' | 'sessionHash'>;

const sessionOf = (
  { id, passwordHash, epoch }: User,
  changes: Partial<NewSession> = {},
): NewSession => ({
  hash: randomUUID(),
  userId: id,
  passwordHash,
  epoch,
  amr: 'pwd',
  brief: false,
  expiresAt: new Date(now.getTime() + 3600_000),
  userAgent: null,
  address: null,
  ...changes,
});

onEachDatabase(() => {
  test('an identity provider is stored, changed only from the version that was seen, and removed', async () => {
    const group = await storeGroup(
      { name: 'Staff', description: null },
      () => ({ type: 'group.created' }),
      now,
    );
    if (typeof group === 'string') throw new Error(group);
    const said = aProvider({
      kind: 'google',
      domains: ['example.com', 'example.org'],
      scopes: ['openid', 'email'],
      sealedSecret: 'sealed',
      groupsClaim: 'groups',
      groups: [{ value: 'staff', groupId: group.id }],
      mayRegister: true,
      position: 3,
    });
    const stored = await storeProvider(said, () => event, now);
    if (typeof stored === 'string') throw new Error(stored);
    expect(await findProvider(stored.id)).toMatchObject(said);
    expect(await storeProvider(said, () => event, now)).toBe('taken');
    const before = await findProvider(stored.id);
    const { slug: _, kind: __, ...settings } = said;
    const seen = { id: stored.id, updatedAt: before?.updatedAt ?? now };
    const revision = await readRevision();
    const after = { ...settings, enabled: false, groups: [{ value: 'none', groupId: 'gone' }] };
    expect(await changeProvider(seen, after, event, now)).toBe('done');
    expect(await changeProvider(seen, after, event, now)).toBe('changed-meanwhile');
    expect(await readRevision()).not.toBe(revision);
    const [now_] = await providersAt(await readRevision());
    expect(now_).toMatchObject({ enabled: false, groups: [] });
    await resealProvider(stored.id, 'other', 'never');
    await resealProvider(stored.id, 'sealed', 'again');
    expect(await findProvider(stored.id)).toMatchObject({ sealedSecret: 'again' });
    expect(await removeProvider(stored.id, event, now, seen.updatedAt)).toBe(false);
    expect(await removeProvider(stored.id, event, now)).toBe(true);
    expect(await listProviders()).toEqual([]);
    expect(mostProviders * mostGroupsOfProvider).toBeLessThanOrEqual(10_000);
  });

  test('an identity is found by issuer and subject, belongs to one user, and is linked only at an enabled provider', async () => {
    const providerId = await newProvider();
    const off = await newProvider({ enabled: false });
    const user = await somebody();
    const other = await somebody();
    const subject = newSubject();
    const identity = { ...subject, userId: user.id, providerId, label: 'ada@example.com' };
    expect(await linkIdentity({ ...identity, providerId: off }, user, linked, now)).toBe('changed');
    const stale = { ...user, epoch: user.epoch + 1 };
    expect(await linkIdentity(identity, stale, linked, now)).toBe('changed');
    const ended = { ...user, sessionHash: 'ended' };
    expect(await linkIdentity(identity, ended, linked, now)).toBe('changed');
    const ofAnother = { ...user, sessionHash: other.sessionHash };
    expect(await linkIdentity(identity, ofAnother, linked, now)).toBe('changed');
    expect(await linkIdentity(identity, user, linked, now)).toBe('linked');
    expect(await linkIdentity({ ...identity, userId: other.id }, other, linked, now)).toBe('taken');
    const found = await findIdentity(subject);
    expect(found).toMatchObject(identity);
    expect(await findIdentity({ ...subject, issuer: 'https://other.example.com' })).toBeNull();
    await noteIdentityUse(found?.id ?? '', 'Ada', now);
    expect(await listIdentities(user.id)).toMatchObject([
      { label: 'Ada', lastUsedAt: now, provider: { name: 'Example', maySignIn: true } },
    ]);
    await removeProvider(providerId, event, now);
    expect(await findIdentity(subject)).toBeNull();
    await removeProvider(off, event, now);
  });

  test('the number of linked identities of a user is limited', async () => {
    const providerId = await newProvider();
    const user = await somebody();
    const one = () => ({ ...newSubject(), userId: user.id, providerId, label: null });
    for (let count = 0; count < mostIdentities; count += 1)
      expect(await linkIdentity(one(), user, linked, now)).toBe('linked');
    expect(await linkIdentity(one(), user, linked, now)).toBe('full');
    await removeProvider(providerId, event, now);
  });

  test('the last way to sign in cannot be unlinked, nor the last two at the same time', async () => {
    const providerId = await newProvider();
    const linkOnly = await newProvider({ maySignIn: false });
    const user = await somebody();
    await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id: user.id });
    const basis = { ...user, passwordHash: null };
    for (const at of [providerId, providerId, linkOnly])
      await linkIdentity(
        { ...newSubject(), userId: user.id, providerId: at, label: null },
        basis,
        linked,
        now,
      );
    const of = await listIdentities(user.id);
    const ways = of.filter(({ provider }) => provider.maySignIn);
    const done = await Promise.all(ways.map(({ id }) => unlink(user, id)));
    expect(done.toSorted()).toEqual(['last-way', 'unlinked']);
    const [left] = (await listIdentities(user.id)).filter(({ provider }) => provider.maySignIn);
    const other = await somebody();
    expect(await unlink(other, left?.id)).toBe('none');
    await write('UPDATE users SET password_hash = :hash WHERE id = :id', {
      id: user.id,
      hash: user.passwordHash,
    });
    expect(await unlink(user, left?.id)).toBe('unlinked');
    await removeProvider(providerId, event, now);
    await removeProvider(linkOnly, event, now);
  });

  test('a statement that would store another user’s identity is rolled back with its transaction', async () => {
    const providerId = await newProvider();
    const user = await somebody();
    const identity = { ...newSubject(), userId: user.id, providerId, label: null };
    const first = {
      sql: 'UPDATE users SET name = :name WHERE id = :id RETURNING id',
      params: { name: 'Once', id: user.id },
    };
    await writeTogether(first, [givingIdentity(identity, now)]);
    const again = { ...first, params: { name: 'Twice', id: user.id } };
    await expect(writeTogether(again, [givingIdentity(identity, now)])).rejects.toThrow();
    expect((await findUser(user.id))?.name).toBe('Once');
    const { sql, params } = takingIdentities(user.id);
    await write(sql, params);
    expect(await read('SELECT 1 FROM identities WHERE user_id = :id', { id: user.id })).toEqual([]);
    await removeProvider(providerId, event, now);
  });

  test('a sign-in under way is refused when its identity, provider or session basis is gone', async () => {
    const providerId = await newProvider();
    const user = await somebody();
    const subject = newSubject();
    const identity = { ...subject, userId: user.id, providerId, label: null };
    expect(await linkIdentity(identity, user, linked, now)).toBe('linked');
    const { id = '' } = (await findIdentity(subject)) ?? {};
    const from = { identityId: id, sid: null, provedAt: null };
    const other = await somebody();
    const came = () => storeSession(sessionOf(user, { from }), now);
    const again = sessionOf(user, { from });
    const cameAgain = () => renewSession(user.sessionHash, user.sessionHash, again, now);
    expect(await storeSession(sessionOf(other, { from }), now)).toBe('refused');
    expect(await came()).toBe('stored');
    await write('UPDATE providers SET may_sign_in = :no WHERE id = :id', {
      no: false,
      id: providerId,
    });
    expect([await came(), await cameAgain()]).toEqual(['refused', 'refused']);
    await write('UPDATE providers SET may_sign_in = :yes WHERE id = :id', {
      yes: true,
      id: providerId,
    });
    expect(await cameAgain()).toBe('renewed');
    const { sql, params } = takingIdentities(user.id);
    await write(sql, params);
    expect(await came()).toBe('refused');
    const seen = again.hash;
    expect(await renewSession(user.sessionHash, seen, sessionOf(user, { from }), now)).toBe(
      'refused',
    );
    expect(await storeSession(sessionOf(user), now)).toBe('stored');
    await endEverything(user.id, event, now);
    expect(await storeSession(sessionOf(user), now)).toBe('refused');
    await removeProvider(providerId, event, now);
  });

  test('a second factor is stored once, and only while the user’s proof of owning the account is valid', async () => {
    const providerId = await newProvider();
    const user = await somebody();
    const other = await somebody();
    const subject = newSubject();
    const identity = { ...subject, userId: user.id, providerId, label: null };
    expect(await linkIdentity(identity, user, linked, now)).toBe('linked');
    const { id: identityId = '' } = (await findIdentity(subject)) ?? {};
    const added = { type: 'factor.added' } as const;
    const passkey = { name: 'A', publicKey: '', counter: 0, transports: [], aaguid: '' };
    const flags = { syncable: false, backedUp: false, rpId: null };
    const add = async (basis: AccountBasis) => {
      const totp = { userId: user.id, enrolment: randomUUID(), sealedSecret: '', step: 0 };
      const key = { id: randomUUID(), userId: user.id, ...passkey, ...flags };
      return [
        await storeTotp(totp, basis, added, now),
        await storeTotp(totp, basis, added, now),
        await storePasskey(key, basis, added, now),
      ];
    };
    const { sessionHash } = user;
    const stored = ['stored', 'refused', 'stored'];
    for (const basis of [{ sessionHash }, { user, identityId: null }, { user, identityId }])
      expect(await add(basis)).toEqual(stored);
    const refused = ['refused', 'refused', 'refused'];
    for (const basis of [
      { sessionHash: 'ended' },
      { sessionHash: other.sessionHash },
      { user: { ...user, epoch: user.epoch + 1 }, identityId },
      { user: { ...user, passwordHash: null }, identityId },
      { user: { ...user, email: 'former@example.com' }, identityId },
      { user, identityId: 'nobody’s' },
    ])
      expect(await add(basis)).toEqual(refused);
    expect(await unlink(user, identityId)).toBe('unlinked');
    expect(await add({ user, identityId })).toEqual(refused);
    await write('UPDATE users SET disabled_at = :now WHERE id = :id', { id: user.id, now });
    expect(await add({ sessionHash })).toEqual(refused);
    await removeProvider(providerId, event, now);
  });

  test('a logout token is spent together with the sessions it ends, or not at all', async () => {
    const providerId = await newProvider();
    const user = await somebody();
    const { issuer, subject } = newSubject();
    await giveIdentity(user.id, providerId, { issuer, subject });
    const { id = '' } = (await findIdentity({ issuer, subject })) ?? {};
    const session = sessionOf(user, { from: { identityId: id, sid: 'there', provedAt: null } });
    expect(await storeSession(session, now)).toBe('stored');
    const token = { hash: randomUUID(), until: new Date(now.getTime() + 60_000) };
    const end = (type: AuditEntry['type']) =>
      endSessionsFrom({ providerId, subject, sid: 'there' }, token, () => ({ type }), now);
    const left = () => read('SELECT 1 FROM sessions WHERE hash = :hash', { hash: session.hash });
    // As when the database fails in between.
    await expect(end(null as never)).rejects.toThrow();
    expect(await left()).toHaveLength(1);
    expect(await end('session.ended')).toEqual([user.id]);
    expect(await left()).toEqual([]);
    expect(await end('session.ended')).toBeNull();
    await removeProvider(providerId, event, now);
  });
});
