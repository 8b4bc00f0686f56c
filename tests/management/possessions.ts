import { randomUUID } from 'node:crypto';
import { digest, newId, newSecret } from '#lib/oauth/secrets.ts';
import { later } from '#lib/oauth/token-request.ts';
import { findAccessToken } from '#lib/store/access-tokens.ts';
import { findClientRecord } from '#lib/store/client-list.ts';
import { findClient } from '#lib/store/clients.ts';
import { findCode, redeemCode, type StoredCode, storeCode } from '#lib/store/codes.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { findSession, storeSession } from '#lib/store/sessions.ts';
import { findRefreshToken } from '#lib/store/tokens.ts';
import { findUser } from '#lib/store/users.ts';

/** What somebody has after using an app: a session, a code that waits, and tokens; and what of it lives. */
export type Possessions = { living: () => Promise<string[]>; accessHash: string };

export const everything = ['session', 'code', 'access token', 'refresh token'];

/** Signs a person in, lets a client have a code, and tokens for another. */
export async function possess(
  userId: string,
  clientId: string,
  scope = 'profile email',
): Promise<Possessions> {
  const now = new Date();
  const [user, client] = [await findUser(userId), await findClient(clientId)];
  if (!user || !client || !(await findClientRecord(clientId)))
    throw new Error('There is no such person or client.');
  const session = randomUUID();
  const { passwordHash } = user;
  const facts = {
    hash: session,
    userId,
    passwordHash,
    amr: 'pwd',
    expiresAt: later(now, 3600),
    userAgent: null,
    address: null,
  };
  await storeSession(facts, now);
  const scopes = scope.split(' ');
  const grantId = await widenGrantOf(userId, clientId, null, { scopes, remembered: scopes }, now);
  const epochs = { userEpoch: user.epoch, clientEpoch: client.epoch };
  const issue = () => issueCode({ userId, clientId, grantId, scope, session, ...epochs }, now);
  const waiting = await issue();
  const tokens = await redeem(await issue(), now);
  return {
    living: async () => {
      const at = new Date();
      const alive = [
        (await findSession(session, at)).session,
        isWaiting((await findCode(waiting)).code),
        (await findAccessToken(tokens.access, at)).token,
        (await findRefreshToken(tokens.refresh)).token?.alive,
      ];
      return everything.filter((_, index) => alive[index]);
    },
    accessHash: tokens.access,
  };
}

type Issue = {
  userId: string;
  clientId: string;
  grantId: string;
  scope: string;
  session: string;
  userEpoch: number;
  clientEpoch: number;
};

async function issueCode({ session, ...of }: Issue, now: Date): Promise<string> {
  const hash = digest(newSecret('code'));
  const request = {
    consented: [],
    redirectUri: 'https://app.example/cb',
    redirectUriSent: true,
    stateHash: null,
    codeChallenge: null,
  };
  const person = { sessionHash: session, nonce: null, claims: null, authTime: now, amr: 'pwd' };
  await storeCode(
    { ...of, ...request, ...person, hash, flowId: newId(now), expiresAt: later(now, 30) },
    now,
  );
  return hash;
}

async function redeem(codeHash: string, now: Date): Promise<{ access: string; refresh: string }> {
  const { code } = await findCode(codeHash);
  if (!code) throw new Error('The code is gone.');
  const [access, refresh] = [randomUUID(), randomUUID()];
  const redemption = {
    code,
    familyId: newId(now),
    familyExpiresAt: later(now, 7200),
    keepUntil: later(now, 7200),
    accessToken: { hash: access, expiresAt: later(now, 3600) },
    refreshToken: { hash: refresh, expiresAt: later(now, 3600) },
  };
  await redeemCode(redemption, now);
  return { access, refresh };
}

/** A code that may still be redeemed. */
function isWaiting(code: StoredCode | null): boolean {
  return code?.alive === true && code.usedAt === null;
}
