import { newId } from '#lib/oauth/secrets.ts';
import { addSeconds } from '#lib/oauth/token-request.ts';
import {
  findAuthorization,
  type NewAuthorization,
  redeemCode,
  storeAuthorization,
} from '#lib/store/authorizations.ts';
import { findClient } from '#lib/store/clients.ts';

type Whose = Pick<NewAuthorization, 'clientId' | 'userId' | 'grantId' | 'clientEpoch'>;

/** The authorization that a plain request leads to. `of` names its owner and any differences. */
export function newAuthorization(
  of: Whose & Partial<NewAuthorization>,
  now: Date,
): NewAuthorization {
  return {
    id: newId(now),
    consented: [],
    sessionHash: null,
    scope: 'profile',
    resources: [],
    redirectUri: 'https://app.example/cb',
    stateHash: null,
    codeChallenge: null,
    nonce: null,
    claims: null,
    authTime: now,
    amr: 'pwd',
    userEpoch: 0,
    codeExpiresAt: addSeconds(now, 30),
    ...of,
  };
}

/** Stores an authorization whose code is not redeemed yet, and returns its id. */
export async function store(of: Whose & Partial<NewAuthorization>, now: Date): Promise<string> {
  const authorization = newAuthorization(of, now);
  const stored = await storeAuthorization(authorization, now);
  if (stored !== 'stored') throw new Error(stored);
  return authorization.id;
}

/** Redeems an authorization's code. The lifetimes are in seconds. */
export async function redeem(
  id: string,
  life: { idle: number; absolute: number; access: number },
  now: Date,
): Promise<void> {
  const { authorization } = await findAuthorization(id);
  if (!authorization) throw new Error('The authorization is gone.');
  const { clientId, codeChallenge } = authorization;
  const epoch = (await findClient(clientId))?.epoch ?? 0;
  const client = { id: clientId, epoch, access: 'everybody', origin: 'admin' } as const;
  const judged = { id, client, revision: null, exchanged: false };
  const bound = { redirectUri: null, stateHash: null, codeChallenge };
  const endsAt = addSeconds(now, life.absolute);
  const ends = {
    idleUntil: addSeconds(now, life.idle),
    endsAt,
    keepUntil: addSeconds(endsAt, life.access),
  };
  if (!(await redeemCode(judged, bound, ends, now))) throw new Error('The code was not redeemed.');
}

/** Which of an authorization's code and refresh token still work. */
export async function workingOf(id: string): Promise<{ code: boolean; refresh: boolean }> {
  const { authorization } = await findAuthorization(id);
  const alive = authorization?.alive === true && authorization.revokedAt === null;
  const redeemed = authorization?.redeemedAt !== null;
  return { code: alive && !redeemed, refresh: alive && redeemed };
}
