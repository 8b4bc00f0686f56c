import { randomUUID } from 'node:crypto';
import { keyInUse, tokenKeysAt } from '#lib/identity/token-keys.ts';
import { findAccessToken } from '#lib/identity/tokens.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import { makeToken } from '#lib/oauth/tokens.ts';
import { findClientRecord } from '#lib/store/client-list.ts';
import { findClient } from '#lib/store/clients.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { findSession, storeSession } from '#lib/store/sessions.ts';
import { findUser } from '#lib/store/users.ts';
import { redeem, store, workingOf } from '../support/authorizations.ts';

/**
 * What a person has after using an app: a session, a waiting code, and tokens. `living` lists what
 * still works.
 */
type Possessions = { living: () => Promise<string[]>; accessToken: string };

export const everything = ['session', 'code', 'access token', 'refresh token'];

/** Signs a person in, and gives a client a waiting code, and tokens from another code. */
export async function possess(
  userId: string,
  clientId: string,
  scope = 'profile email',
): Promise<Possessions> {
  const now = new Date();
  const user = await findUser(userId);
  const client = await findClient(clientId);
  if (!user || !client || !(await findClientRecord(clientId)))
    throw new Error('There is no such person or client.');
  const session = randomUUID();
  const { passwordHash, epoch } = user;
  const facts = {
    hash: session,
    userId,
    passwordHash,
    epoch,
    amr: 'pwd',
    expiresAt: addSeconds(now, 3600),
    brief: false,
    userAgent: null,
    address: null,
  };
  await storeSession(facts, now);
  const scopes = scope.split(' ');
  const grantId = await widenGrantOf(
    { userId, clientId },
    null,
    { scopes, remembered: scopes },
    now,
  );
  const epochs = { userEpoch: user.epoch, clientEpoch: client.epoch };
  const of = { userId, clientId, grantId, scope, sessionHash: session, ...epochs };
  const waiting = await store(of, now);
  const redeemed = await store(of, now);
  await redeem(redeemed, { idle: 3600, absolute: 7200, access: 3600 }, now);
  const accessToken = await newAccessToken(redeemed, now);
  return {
    living: async () => {
      const at = new Date();
      const alive = [
        (await findSession(session, at)).session,
        (await workingOf(waiting)).code,
        (await findAccessToken(accessToken, at)).token,
        (await workingOf(redeemed)).refresh,
      ];
      return everything.filter((_, index) => alive[index]);
    },
    accessToken,
  };
}

async function newAccessToken(id: string, now: Date): Promise<string> {
  const said = {
    id,
    counter: 0,
    expiresAt: addSeconds(now, 3600),
    life: 3600,
    detail: '',
    jkt: null,
  };
  const key = keyInUse(await tokenKeysAt(await readRevision()), now);
  return makeToken({ ...said, kind: 'accessToken' }, key);
}
