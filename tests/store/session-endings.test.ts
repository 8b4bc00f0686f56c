import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { requestDeletion } from '#lib/store/account-deletion.ts';
import { findAuthorization, storeAuthorization } from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import {
  endingOtherSessions,
  endOtherSessions,
  endSession,
  endSessionOfUser,
  storeSession,
} from '#lib/store/sessions.ts';
import { endEverything } from '#lib/store/user-changes.ts';
import { choosePassword, findUser } from '#lib/store/users.ts';
import { newAuthorization, redeem, store, workingOf } from '../support/authorizations.ts';
import { beside } from '../support/beside.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';

const now = new Date();
const event = { type: 'session.ended' } as const;
const lives = { idle: 3600, absolute: 3600, access: 60 };

/** A signed-in user, with an app that is notified of sign-outs. */
async function scene() {
  const user = await findUser((await newUser()).id);
  const client = await findClient(
    (await newClient({ backchannelLogoutUri: 'https://app.example/bye' })).id,
  );
  if (!user || !client) throw new Error('They were made a moment ago.');
  const whose = { userId: user.id, clientId: client.id };
  const grantId = await widenGrantOf(whose, null, { scopes: ['profile'], remembered: [] }, now);
  const signIn = async () => {
    const hash = randomUUID();
    const { id: userId, passwordHash, epoch } = user;
    const [expiresAt, nowhere] = [addSeconds(now, 3600), { userAgent: null, address: null }];
    const said = { hash, userId, passwordHash, epoch, amr: 'pwd', brief: false, expiresAt };
    return { hash, stored: await storeSession({ ...said, ...nowhere }, now) };
  };
  const codeIn = (sessionHash: string) =>
    newAuthorization({ ...whose, grantId, clientEpoch: client.epoch, sessionHash }, now);
  const { hash } = await signIn();
  return { user, client, hash, signIn, codeIn };
}

/** The sessions whose end an app will be notified of. */
async function queuedFor({ id }: { id: string }): Promise<unknown[]> {
  const sql = 'SELECT session_hash FROM logout_deliveries WHERE client_id = :id';
  return (await read(sql, { id })).map(({ sessionHash }) => sessionHash);
}

const sessionsOf = async (userId: string) =>
  (await read('SELECT hash FROM sessions WHERE user_id = :userId', { userId })).map(
    ({ hash }) => hash,
  );

type Scene = Awaited<ReturnType<typeof scene>>;
const ends: [string, (scene: Scene) => Promise<unknown>][] = [
  ['they sign out', ({ hash }) => endSession(hash)],
  ['it is ended from elsewhere', ({ user, hash }) => endSessionOfUser(user.id, hash, event, now)],
  ['all but another end', ({ user }) => endOtherSessions(user.id, 'another', event, now)],
  ['everything ends', ({ user }) => endEverything(user.id, event, now)],
  [
    'they leave',
    ({ user: { id } }) =>
      requestDeletion({ id, keepHash: 'another' }, addSeconds(now, 60), [], now),
  ],
];

onEachDatabase(() => {
  test.each(ends)(
    'a waiting code is no longer valid when %s, and no app gets a back-channel logout',
    async (_, end) => {
      const made = await scene();
      const id = await store(made.codeIn(made.hash), now);
      await end(made);
      expect((await workingOf(id)).code).toBe(false);
      await expect(redeem(id, lives, now)).rejects.toThrow('not redeemed');
      // A revoked code would count as used. A client that presents this one later has not stolen
      // it.
      expect((await findAuthorization(id)).authorization).toMatchObject({ revokedAt: null });
      expect([await sessionsOf(made.user.id), await queuedFor(made.client)]).toEqual([[], []]);
    },
  );

  test.each(ends)(
    'an app that redeems a code while %s gets a back-channel logout',
    async (_, end) => {
      const made = await scene();
      const id = await store(made.codeIn(made.hash), now);
      await beside(
        () => redeem(id, lives, now),
        () => end(made),
      );
      expect(await queuedFor(made.client)).toEqual([made.hash]);
      expect(await sessionsOf(made.user.id)).toEqual([]);
    },
  );

  test.each(ends)('a code redeemed while %s is refused', async (_, end) => {
    const made = await scene();
    const id = await store(made.codeIn(made.hash), now);
    const [, failure] = await beside(
      () => end(made),
      () => redeem(id, lives, now).catch((error: Error) => error.message),
    );
    expect(failure).toContain('not redeemed');
    expect(await queuedFor(made.client)).toEqual([]);
  });

  test.each(ends)('a code stored while %s is no longer valid', async (_, end) => {
    const made = await scene();
    const code = made.codeIn(made.hash);
    const [stored] = await beside(
      () => storeAuthorization(code, now),
      () => end(made),
    );
    expect(stored).toBe('stored');
    expect((await workingOf(code.id)).code).toBe(false);
    await expect(redeem(code.id, lives, now)).rejects.toThrow('not redeemed');
  });

  test.each(ends)(
    'no code is stored in a session that ends, or has ended, as %s',
    async (_, end) => {
      const made = await scene();
      const [, stored] = await beside(
        () => end(made),
        () => storeAuthorization(made.codeIn(made.hash), now),
      );
      expect(stored).toBe('session-gone');
      expect(await storeAuthorization(made.codeIn(made.hash), now)).toBe('session-gone');
    },
  );

  test('ending other sessions keeps the codes of the current one, and logs apps out of the others', async () => {
    const made = await scene();
    const { hash: other } = await made.signIn();
    const mine = await store(made.codeIn(made.hash), now);
    const theirs = made.codeIn(other);
    await redeem(await store(theirs, now), lives, now);
    await endOtherSessions(made.user.id, made.hash, event, now);
    await redeem(mine, lives, now);
    expect(await queuedFor(made.client)).toEqual([other]);
    expect(await sessionsOf(made.user.id)).toEqual([made.hash]);
  });

  test('a sign-in with the old password while it is changed is ended or refused', async () => {
    const { user, hash, signIn } = await scene();
    const choose = (verified: string, next: string) =>
      choosePassword(user.id, verified, next, now, endingOtherSessions(user.id, hash, now));
    const old = user.passwordHash ?? '';
    const [early, changed] = await beside(signIn, () => choose(old, 'v1:next'));
    expect([early.stored, changed]).toEqual(['stored', true]);
    expect(await sessionsOf(user.id)).toEqual([hash]);
    expect(await choose('v1:next', old)).toBe(true);
    const [, late] = await beside(() => choose(old, 'v1:last'), signIn);
    expect(late.stored).toBe('refused');
    expect(await sessionsOf(user.id)).toEqual([hash]);
  });
});

onDatabase('postgresql', () => {
  test('a session that begins while all others end stays with its code, or ends with it', async () => {
    const made = await scene();
    const { hash: other } = await made.signIn();
    const id = await store(made.codeIn(other), now);
    const begin = async () => {
      const { hash } = await made.signIn();
      return { hash, code: await store(made.codeIn(hash), now) };
    };
    const late: ReturnType<typeof begin>[] = [];
    await beside(
      () => redeem(id, lives, now),
      () => endOtherSessions(made.user.id, made.hash, event, now),
      async () => {
        late.push(begin());
        await Promise.race([...late, untilItWaits('INSERT INTO sessions')]);
      },
    );
    const [begun] = await Promise.all(late);
    if (!begun) throw new Error('It began.');
    const isThere = (await sessionsOf(made.user.id)).includes(begun.hash);
    expect((await workingOf(begun.code)).code).toBe(isThere);
  });
});

async function untilItWaits(what: string): Promise<void> {
  const sql =
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE :what";
  while ((await read(sql, { what: `%${what}%` })).length === 0);
}
