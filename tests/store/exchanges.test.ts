import { describe, expect, test } from 'vitest';
import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { readAccessToken } from '#lib/store/access-tokens.ts';
import {
  findAuthorization,
  revokeAuthorization,
  rotateRefreshToken,
} from '#lib/store/authorizations.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { findClient } from '#lib/store/clients.ts';
import { listDelegations } from '#lib/store/delegations.ts';
import { read, readOne, write } from '#lib/store/engine/database.ts';
import { revokeTokenOf, storeExchange } from '#lib/store/exchanges.ts';
import { findSignInsAt, storeGrantedElsewhere } from '#lib/store/granted-elsewhere.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { removeGroup, removeMember } from '#lib/store/groups.ts';
import { findIdentity } from '#lib/store/identities.ts';
import { lineageLives } from '#lib/store/lineage.ts';
import type { NewProvider } from '#lib/store/providers.ts';
import { spendOnce } from '#lib/store/spent-values.ts';
import { revokeGrants } from '#lib/store/withdrawals.ts';
import { redeem, store } from '../support/authorizations.ts';
import { newGroup } from '../support/groups.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import { overtaken } from '../support/overtaken.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newClient, newUser, type TestClient, type TestUser } from '../support/seed.ts';

/*
 * Each condition of the statements about authorizations below others, broken by one change of the
 * rows that it checks.
 */

const now = new Date();
const life = { idle: 600, absolute: 6000, access: 60 };
const endsAt = addSeconds(now, 300);

async function granted(user: TestUser, client: TestClient, scopes = ['profile']) {
  const given = { scopes, remembered: [] };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, null, given, now);
  return { clientId: client.id, grantId, clientEpoch: (await findClient(client.id))?.epoch ?? 0 };
}

/** A person signed in to `front`; `near` exchanges its token, and then `far` does. */
async function scene() {
  const [user, front, near, far] = await Promise.all([
    newUser(),
    newClient(),
    newClient(),
    newClient(),
  ]);
  const whose = { userId: user.id, ...(await granted(user, front)) };
  const parentId = await store({ ...whose, scope: 'profile' }, now);
  const ofNear = await granted(user, near);
  const asked = (more: Partial<Parameters<typeof storeExchange>[0]> = {}) => ({
    id: newId(now),
    parentId,
    subjectHash: 'token:a',
    consented: ['profile'],
    scope: 'profile',
    resources: ['https://far.example'],
    lineage: [front.id],
    onward: '',
    refreshes: false,
    exchangeFor: [] as string[],
    ...ofNear,
    endsAt,
    ...more,
  });
  return { user, front, near, far, whose, parentId, ofNear, asked };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function signedIn() {
  const made = await scene();
  await redeem(made.parentId, life, now);
  return made;
}
const storing = async (asked: ReturnType<Scene['asked']>) => (await storeExchange(asked, now))?.id;

/** The same one level further down, below the authorization of `near`. */
async function chain(refreshes = false) {
  const made = await signedIn();
  const { near, far, front, user, asked } = made;
  const childId = await storing(asked({ refreshes }));
  if (!childId) throw new Error('It lives.');
  const below = {
    ...(await granted(user, far)),
    parentId: childId,
    subjectHash: 'token:b',
    lineage: [near.id, front.id],
    refreshes,
  };
  const grandchildId = await storing(asked(below));
  if (!grandchildId) throw new Error('It lives.');
  return { ...made, childId, grandchildId, below };
}
type Chain = Awaited<ReturnType<typeof chain>>;

const revoked = (id: string) =>
  write('UPDATE authorizations SET revoked_at = :now WHERE id = :id', { id, now });
const gone = (id: string) => write('DELETE FROM authorizations WHERE id = :id', { id });
const anew = (table: 'users' | 'clients', id: string) =>
  write(`UPDATE ${table} SET epoch = epoch + 1 WHERE id = :id`, { id });
const isRevoked = async (id: string) =>
  (
    await readOne<{ at: Date | null }>(
      'SELECT revoked_at AS at FROM authorizations WHERE id = :id',
      {
        id,
      },
    )
  )?.at != null;

const isThere = async (id: string) =>
  (await readOne('SELECT 1 AS found FROM authorizations WHERE id = :id', { id })) !== undefined;

/** What ends an authorization from above, level by level. */
const aboveEnds: Record<string, (scene: Chain) => Promise<unknown>> = {
  'that at the top is revoked': ({ parentId }) => revoked(parentId),
  'that between is revoked': ({ childId }) => revoked(childId),
  'that at the top is gone': ({ parentId }) => gone(parentId),
  'that between is gone': ({ childId }) => gone(childId),
  'the client at the top begins anew': ({ front }) => anew('clients', front.id),
  'the client between begins anew': ({ near }) => anew('clients', near.id),
};

/** A provider whose assertions are accepted, and the person's identity there. */
async function linked(userId: string, changes: Partial<NewProvider> = {}) {
  const slug = `p-${newId(now).slice(-8)}`;
  const issuer = `https://${slug}.example`;
  const providerId = await newProvider({ slug, issuer, acceptsAssertions: true, ...changes });
  await giveIdentity(userId, providerId, { issuer, subject: userId });
  const identity = await findIdentity({ issuer, subject: userId });
  return { providerId, identityId: identity?.id ?? '' };
}
/** What another server granted to the client `near`. */
const grantedThere = async ({ user, near }: Scene, more = {}) => ({
  id: newId(now),
  consented: ['profile'],
  scope: 'profile',
  resources: [],
  authTime: now,
  amr: 'fed',
  endsAt,
  ...(await granted(user, near)),
  ...(await linked(user.id)),
  ...more,
});
type GrantedThere = Awaited<ReturnType<typeof grantedThere>>;

type Using = { user: TestUser; client: TestClient };
const listing = ({ client }: Using) =>
  write("UPDATE clients SET access = 'listed' WHERE id = :id", { id: client.id });
async function byName(using: Using): Promise<void> {
  await listing(using);
  await allow(using.client.id, { groups: [], people: [using.user.id] }, [], now);
}
async function byGroup(using: Using): Promise<void> {
  await listing(using);
  await allow(using.client.id, { groups: [await newGroup(using.user)], people: [] }, [], now);
}

/** What keeps a person from using a client, without ending what the client was given before. */
const accessEnds: [string, (using: Using) => Promise<unknown>][] = [
  ['the client lists its users', listing],
  [
    'they left the group that it lists',
    async (using) => {
      await byGroup(using);
      await write('DELETE FROM group_members WHERE user_id = :id', { id: using.user.id });
    },
  ],
  [
    'admins have refused it',
    async ({ user, client }) => {
      await write("UPDATE clients SET origin = 'registration' WHERE id = :id", { id: client.id });
      const sql = `INSERT INTO client_requests (client_id, origin, name, host, user_id, asked_at, decision)
        VALUES (:clientId, 'registration', 'App', '', :userId, :now, 'refused')`;
      await write(sql, { clientId: client.id, userId: user.id, now });
    },
  ],
];

onEachDatabase(() => {
  describe('a token exchange (RFC 8693) is stored', () => {
    test('while the subject token’s authorization is alive', async () => {
      const { asked, parentId, near, front, user } = await signedIn();
      const id = await storing(asked());
      const { authorization } = await findAuthorization(id ?? '');
      expect(authorization).toMatchObject({
        clientId: near.id,
        userId: user.id,
        alive: true,
        lineage: [front.id],
        scope: 'profile',
        amr: 'pwd',
        endsAt,
        idleUntil: endsAt,
        keepUntil: endsAt,
      });
      const sql = 'SELECT parent_id FROM authorizations WHERE id = :id';
      expect(await read(sql, { id: id ?? '' })).toEqual([{ parentId }]);
    });

    test('not before the code of the subject token’s authorization was redeemed', async () => {
      const { asked } = await scene();
      expect(await storing(asked())).toBeUndefined();
    });

    test.each<[string, (scene: Scene) => Promise<unknown>]>([
      ['it was revoked', ({ parentId }) => revokeAuthorization(parentId, now)],
      ['it is gone', ({ parentId }) => gone(parentId)],
      ['the person began anew', ({ user }) => anew('users', user.id)],
      ['its client began anew', ({ front }) => anew('clients', front.id)],
      ['the token alone was revoked', () => spendOnce('token:a', endsAt)],
      [
        'the grant was taken back',
        ({ ofNear }) => write('DELETE FROM grants WHERE id = :id', { id: ofNear.grantId }),
      ],
    ])('not once %s, whether or not the token was exchanged before', async (_, end) => {
      await write('DELETE FROM spent_values', {});
      for (const isSecond of [false, true]) {
        const made = await signedIn();
        if (isSecond) expect(await storing(made.asked())).toBeDefined();
        await end(made);
        expect(await storing(made.asked())).toBeUndefined();
        await write('DELETE FROM spent_values', {});
      }
    });

    test.each(accessEnds)(
      'not once %s, whether or not the token was exchanged before',
      async (_, end) => {
        for (const isSecond of [false, true]) {
          const made = await signedIn();
          if (isSecond) expect(await storing(made.asked())).toBeDefined();
          await end({ user: made.user, client: made.near });
          expect(await storing(made.asked())).toBeUndefined();
        }
      },
    );

    test('for a user whom the client lists, by name or by group', async () => {
      for (const list of [byName, byGroup]) {
        const made = await signedIn();
        await list({ user: made.user, client: made.near });
        expect(await storing(made.asked())).toBeDefined();
      }
    });

    test.each(Object.keys(aboveEnds))('not once, further up the chain, %s', async (name) => {
      const made = await chain();
      await aboveEnds[name]?.(made);
      for (const refreshes of [true, false])
        expect(await storing(made.asked({ ...made.below, refreshes }))).toBeUndefined();
    });

    test('not while its grant lacks a scope', async () => {
      const { asked } = await signedIn();
      for (const consented of [['write'], ['profile', 'write'], ['profil'], ['profiles']])
        expect(await storing(asked({ consented }))).toBeUndefined();
    });

    test('not under the grant of another user, nor of another client', async () => {
      const { asked, far, user, near } = await signedIn();
      const others = await granted(await newUser(), near);
      const elsewhere = await granted(user, far);
      for (const { grantId } of [others, elsewhere])
        expect(await storing(asked({ grantId }))).toBeUndefined();
    });
  });

  describe('a repeated token exchange (RFC 8693) of the same token', () => {
    test('is stored once, unless it has a refresh token', async () => {
      const { asked } = await signedIn();
      const first = await storing(asked());
      expect(await storing(asked())).toBe(first);
      const refreshing = [asked({ refreshes: true }), asked({ refreshes: true })];
      for (const each of refreshing) expect(await storing(each)).toBe(each.id);
    });

    test.each<[string, (scene: Chain) => Promise<Partial<ReturnType<Scene['asked']>>>]>([
      ['another token', async () => ({ subjectHash: 'token:c' })],
      ['another scope', async () => ({ scope: 'read write' })],
      ['another API', async () => ({ resources: ['https://near.example'] })],
      ['less that may go on', async () => ({ onward: 'profile' })],
      ['another end', async () => ({ endsAt: addSeconds(now, 200) })],
      [
        'another client',
        async ({ user, far, ofNear }) => ({
          ...(await granted(user, far)),
          clientEpoch: ofNear.clientEpoch,
        }),
      ],
      ['another authorization', async ({ childId }) => ({ parentId: childId })],
      ['another state of the client', async () => ({ clientEpoch: 7 })],
    ])('is stored separately with %s', async (_, more) => {
      const made = await chain();
      const first = await storing(made.asked());
      const other = made.asked(await more(made));
      expect(await storing(other)).toBe(other.id);
      expect(other.id).not.toBe(first);
    });

    test('is stored again if the first one was revoked or refreshed', async () => {
      const { asked } = await signedIn();
      const first = await storing(asked());
      await revoked(first ?? '');
      const second = await storing(asked());
      expect(second).toBeDefined();
      expect(second).not.toBe(first);
      await write('UPDATE authorizations SET rotation = 1 WHERE id = :id', { id: second ?? '' });
      expect(await storing(asked())).not.toBe(second);
    });

    test('is stored again under another grant', async () => {
      const { asked, user, near, ofNear } = await signedIn();
      const first = await storing(asked());
      await write('DELETE FROM grants WHERE id = :id', { id: ofNear.grantId });
      const { grantId } = await granted(user, near);
      const again = asked({ grantId });
      expect(await storing(again)).toBe(again.id);
      expect(again.id).not.toBe(first);
    });
  });

  test('a token exchange is not stored if the APIs that its client may exchange for have changed meanwhile', async () => {
    const { asked } = await signedIn();
    expect(await storing(asked({ exchangeFor: ['https://far.example'] }))).toBeUndefined();
    expect(await storing(asked())).toBeDefined();
  });

  test('at most fifty token exchanges per authorization and client are kept; the oldest are deleted', async () => {
    const { asked, user, far } = await signedIn();
    const ids: string[] = [];
    const others = await storing(asked({ ...(await granted(user, far)), refreshes: true }));
    for (let each = 0; each < 52; each += 1)
      ids.push((await storing(asked({ refreshes: true }))) ?? '');
    expect(await Promise.all(ids.map(isThere))).toEqual(ids.map((_, at) => at >= 2));
    expect(await isThere(others ?? '')).toBe(true);
  });

  test('an app that acted for a person who never allowed it is told of until when, once that has ended', async () => {
    const { user, front, near, parentId, asked } = await signedIn();
    await storing(asked());
    expect(await listDelegations(user.id, now)).toMatchObject({
      live: [{ clientId: near.id, lineage: [front.id] }],
      former: [],
    });
    const later = addSeconds(now, 30);
    await revokeAuthorization(parentId, later);
    expect(await listDelegations(user.id, addSeconds(now, 60))).toEqual({
      live: [],
      former: [{ clientId: near.id, lineage: [front.id], until: later }],
    });
    // The person allows it: from then on it is an app like others.
    const own = await store({ userId: user.id, ...(await granted(user, near)), scope: '' }, now);
    await redeem(own, life, now);
    expect((await listDelegations(user.id, later)).former).toEqual([]);
  });

  test('revoking a token revokes what it was exchanged for, and nothing else', async () => {
    const { asked, parentId } = await signedIn();
    const of = await storing(asked({ subjectHash: 'token:of' }));
    const beside = await storing(asked({ subjectHash: 'token:beside' }));
    const elsewhere = await signedIn();
    const other = await storing(elsewhere.asked({ subjectHash: 'token:of' }));
    await revokeTokenOf(parentId, { hash: 'token:of', expiresAt: endsAt }, now);
    expect([await isRevoked(of ?? ''), await isRevoked(beside ?? '')]).toEqual([true, false]);
    expect(await isRevoked(other ?? '')).toBe(false);
    for (const refreshes of [true, false]) {
      expect(await storing(asked({ subjectHash: 'token:of', refreshes }))).toBeUndefined();
      expect(await storing(asked({ subjectHash: 'token:beside', refreshes }))).toBeDefined();
    }
    // Repeating it has the same result.
    await revokeTokenOf(parentId, { hash: 'token:of', expiresAt: endsAt }, now);
  });

  describe('an authorization from a token exchange (RFC 8693) ends', () => {
    const lives = async (id: string) => {
      const sql = `SELECT CASE WHEN ${lineageLives('a')} THEN 1 ELSE 0 END AS lives FROM authorizations a WHERE a.id = :id`;
      return (await readOne<{ lives: number }>(sql, { id }))?.lives === 1;
    };
    const refreshed = async (id: string, { far }: Chain) => {
      const epoch = (await findClient(far.id))?.epoch ?? 0;
      const client = { id: far.id, epoch, access: 'everybody', origin: 'admin' } as const;
      const to = { counter: 0, scope: null, idleUntil: endsAt };
      const judged = { id, client, revision: null, exchanged: true };
      return (await rotateRefreshToken(judged, to, now)) !== null;
    };
    const shown = async ({ user, far }: Chain) =>
      (await listDelegations(user.id, now)).live.some(({ clientId }) => clientId === far.id);

    /** Whether its access token is valid, read for the first time. */
    const isGood = async (id: string) => {
      const said = { kind: 'accessToken', id, counter: 0, expiresAt: endsAt, life: 60 } as const;
      const token = { ...said, detail: '', jkt: null };
      return (await readAccessToken(newId(now), token, now)).token !== null;
    };

    test('not while every authorization above it is alive', async () => {
      const made = await chain(true);
      expect(await isGood(made.grandchildId)).toBe(true);
      expect(await lives(made.grandchildId)).toBe(true);
      expect(await lives(made.parentId)).toBe(true);
      expect((await findAuthorization(made.grandchildId)).authorization?.alive).toBe(true);
      expect(await shown(made)).toBe(true);
      expect(await refreshed(made.grandchildId, made)).toBe(true);
    });

    test.each(Object.keys(aboveEnds))('when %s', async (name) => {
      const made = await chain(true);
      await aboveEnds[name]?.(made);
      expect(await lives(made.grandchildId)).toBe(false);
      expect((await findAuthorization(made.grandchildId)).authorization?.alive).toBe(false);
      expect(await isGood(made.grandchildId)).toBe(false);
      expect(await shown(made)).toBe(false);
      expect(await refreshed(made.grandchildId, made)).toBe(false);
    });

    test('when a client of its chain no longer exists', async () => {
      const { asked } = await signedIn();
      const id = (await storing(asked({ lineage: ['shut-out'] }))) ?? '';
      expect((await findAuthorization(id)).authorization?.alive).toBe(false);
      expect(await isGood(id)).toBe(false);
    });

    test('and is no longer shown when it was revoked itself', async () => {
      const made = await chain(true);
      await revoked(made.grandchildId);
      expect(await shown(made)).toBe(false);
      const another = await chain(true);
      await anew('users', another.user.id);
      expect(await shown(another)).toBe(false);
      const third = await chain(true);
      await anew('clients', third.far.id);
      expect(await shown(third)).toBe(false);
    });

    test('when the authorization it came from is deleted by cleaning', async () => {
      const made = await chain(true);
      const { parentId, childId, grandchildId } = made;
      const past = 'UPDATE authorizations SET keep_until = :until WHERE id = :id';
      await write(past, { id: parentId, until: addSeconds(now, -1) });
      await deleteExpired(now);
      expect((await findAuthorization(parentId)).authorization).toBeNull();
      for (const id of [childId, grandchildId]) expect(await lives(id)).toBe(false);
      expect(await storing(made.asked(made.below))).toBeUndefined();
    });
  });

  describe('the sign-ins that the auth_time of an ID token names (identity assertion grant draft section 4.3.3)', () => {
    const second = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const at = async (made: Scene, authTime: Date) =>
      write('UPDATE authorizations SET auth_time = :authTime WHERE id = :id', {
        id: made.parentId,
        authTime,
      });
    const found = async ({ front }: Scene, when = now) =>
      (await findSignInsAt(front.id, second, when)).map(({ id }) => id);

    test.each([
      [0, true],
      [999, true],
      [-1, false],
      [1000, false],
    ])('at %d ms into the second are found: %s', async (ms, isFound) => {
      const made = await signedIn();
      await at(made, new Date(second.getTime() + ms));
      expect(await found(made)).toEqual(isFound ? [made.parentId] : []);
    });

    test('are only those of this client, newest first', async () => {
      const made = await signedIn();
      const other = await signedIn();
      for (const each of [made, other]) await at(each, second);
      const again = await store({ ...made.whose, scope: 'profile', authTime: second }, now);
      await redeem(again, life, now);
      const ids = [made.parentId, again].sort().reverse();
      expect(await found(made)).toEqual(ids);
      const [one] = await findSignInsAt(other.front.id, second, now);
      expect(one).toEqual({ id: other.parentId, userId: other.user.id });
    });

    test.each<[string, (scene: Scene) => Promise<unknown>]>([
      ['was revoked', ({ parentId }) => revoked(parentId)],
      ['is of a person who began anew', ({ user }) => anew('users', user.id)],
      ['is of a client that began anew', ({ front }) => anew('clients', front.id)],
      [
        'came by an exchange',
        ({ parentId }) =>
          write("UPDATE authorizations SET parent_id = 'x' WHERE id = :id", { id: parentId }),
      ],
    ])('do not include one that %s', async (_, end) => {
      const made = await signedIn();
      await at(made, second);
      await end(made);
      expect(await found(made)).toEqual([]);
    });

    test('do not include one whose code was not redeemed, or one that has expired', async () => {
      const waiting = await scene();
      await at(waiting, second);
      expect(await found(waiting)).toEqual([]);
      const made = await signedIn();
      await at(made, second);
      expect(await found(made, addSeconds(now, 7000))).toEqual([]);
    });
  });

  describe('an authorization from another server’s identity assertion is stored', () => {
    test('for the user of the linked identity', async () => {
      const made = await scene();
      const said = await grantedThere(made);
      expect(await storeGrantedElsewhere(said, now)).toMatchObject({ scope: 'profile' });
      const { authorization } = await findAuthorization(said.id);
      expect(authorization).toMatchObject({ userId: made.user.id, amr: 'fed', alive: true });
    });

    test.each(accessEnds)('not once %s', async (_, end) => {
      const made = await scene();
      const said = await grantedThere(made);
      await end({ user: made.user, client: made.near });
      expect(await storeGrantedElsewhere(said, now)).toBeNull();
    });

    test('not for a disabled user', async () => {
      const made = await scene();
      await write('UPDATE users SET disabled_at = :now WHERE id = :id', { id: made.user.id, now });
      expect(await storeGrantedElsewhere(await grantedThere(made), now)).toBeNull();
    });

    test.each<[string, (granted: GrantedThere) => Promise<unknown>]>([
      [
        'is off',
        ({ providerId }) =>
          write('UPDATE providers SET enabled = FALSE WHERE id = :providerId', { providerId }),
      ],
      [
        'gives apps no tokens any more',
        ({ providerId }) =>
          write('UPDATE providers SET accepts_assertions = FALSE WHERE id = :providerId', {
            providerId,
          }),
      ],
      [
        'is gone',
        ({ providerId }) => write('DELETE FROM providers WHERE id = :providerId', { providerId }),
      ],
      [
        'is that of the person no longer',
        ({ identityId }) => write('DELETE FROM identities WHERE id = :identityId', { identityId }),
      ],
    ])('not if the provider or identity meanwhile %s', async (_, end) => {
      const made = await scene();
      const said = await grantedThere(made);
      await end(said);
      expect(await storeGrantedElsewhere(said, now)).toBeNull();
    });

    test('not by the identity of another user', async () => {
      const made = await scene();
      const other = await scene();
      // Not even by their own verified address, which only counts for people without a linked
      // identity.
      await write('UPDATE users SET email_verified = TRUE WHERE id = :id', { id: made.user.id });
      const matching = { matchesAddresses: true };
      const { identityId, providerId } = await linked(other.user.id, matching);
      const said = await grantedThere(made, { identityId, providerId });
      expect(await storeGrantedElsewhere(said, now)).toBeNull();
    });

    test('by an email address alone only if the provider may match it and it is verified', async () => {
      const made = await scene();
      const proved = (to: boolean) =>
        write('UPDATE users SET email_verified = :to WHERE id = :id', { id: made.user.id, to });
      const stored = async (matchesAddresses: boolean, isLinked = false) => {
        const { providerId, identityId: id } = await linked(made.user.id, { matchesAddresses });
        if (!isLinked) await write('DELETE FROM identities WHERE id = :id', { id });
        const said = await grantedThere(made, { providerId, identityId: null });
        return (await storeGrantedElsewhere(said, now)) !== null;
      };
      await proved(true);
      expect([await stored(true), await stored(false)]).toEqual([true, false]);
      // An identity of the same issuer decides who they are.
      expect(await stored(true, true)).toBe(false);
      await proved(false);
      expect(await stored(true)).toBe(false);
    });

    test('not under the grant of another client, nor one that lacks a scope', async () => {
      const made = await scene();
      const { grantId } = made.whose;
      expect(await storeGrantedElsewhere(await grantedThere(made, { grantId }), now)).toBeNull();
      const consented = ['profile', 'write'];
      expect(await storeGrantedElsewhere(await grantedThere(made, { consented }), now)).toBeNull();
    });
  });
});

/** What ends access, or the grant, together with everything issued on it. */
const losing: [string, (using: Using, staff: string) => Promise<unknown>][] = [
  [
    'the client lists them no longer',
    ({ client, user }, staff) =>
      disallow(client.id, { groups: [staff], people: [user.id] }, [], now),
  ],
  [
    'they are taken out of the group',
    ({ user }, groupId) =>
      removeMember({ groupId, userId: user.id }, { type: 'group.member-removed' }, now),
  ],
  [
    'the group is deleted',
    (_, staff) => removeGroup(staff, { event: { type: 'group.deleted' }, keeping: [] }, now),
  ],
  [
    'they remove the app',
    ({ client, user }) => revokeGrants({ userId: user.id, clientId: client.id }, now),
  ],
];

/** The two kinds of authorization that are stored without a code. */
const kinds: [string, (scene: Scene) => Promise<() => Promise<string | undefined>>][] = [
  ['an exchange', async ({ asked }) => storing.bind(null, asked())],
  [
    'what another server granted',
    async (made) => {
      const said = await grantedThere(made);
      return async () => ((await storeGrantedElsewhere(said, now)) ? said.id : undefined);
    },
  ],
];

onDatabase('postgresql', () => {
  describe.each(losing)('storing an authorization beside a loss of access: %s', (_, lose) => {
    async function listedScene() {
      const made = await signedIn();
      const using = { user: made.user, client: made.near };
      const staff = await newGroup(made.user);
      await listing(using);
      await allow(using.client.id, { groups: [staff], people: [] }, [], now);
      return { made, losing: () => lose(using, staff) };
    }

    test.each(kinds)('%s that comes second waits, and is not stored', async (_, prepare) => {
      const { made, losing } = await listedScene();
      const stored = await overtaken(losing, await prepare(made));
      expect(stored).toEqual({ answer: undefined, waited: true });
    });

    test.each(kinds)('%s that comes first is waited for, and then revoked', async (_, prepare) => {
      const { made, losing } = await listedScene();
      let id: string | undefined;
      const store = await prepare(made);
      const storing = async () => {
        id = await store();
      };
      expect((await overtaken(storing, losing)).waited).toBe(true);
      const sql = 'SELECT id FROM authorizations WHERE id = :id AND revoked_at IS NULL';
      expect(await read(sql, { id: id ?? expect.fail() })).toEqual([]);
    });
  });
});
