import { config } from '../../config.ts';
import { readIdToken, signerFor } from '../../identity/signing.ts';
import { findPresented, openToken } from '../../identity/tokens.ts';
import { acrOf } from '../../oauth/acr.ts';
import type { Client } from '../../oauth/client.ts';
import { checkProof } from '../../oauth/dpop.ts';
import { refuse } from '../../oauth/errors.ts';
import { masked } from '../../oauth/facts.ts';
import {
  type AskedIdJag,
  idJagClaims,
  idJagLife,
  idJagTokenType,
  idJagType,
  readIdJagRequest,
} from '../../oauth/id-jag.ts';
import { issuerKnownTo } from '../../oauth/old-issuer.ts';
import { first, type Params } from '../../oauth/params.ts';
import { judgeAge } from '../../oauth/refresh-grant.ts';
import { newId } from '../../oauth/secrets.ts';
import { isSubject, subjectOf } from '../../oauth/subject.ts';
import { tokenTypes } from '../../oauth/token-exchange.ts';
import { type Authorization, findAuthorization } from '../../store/authorizations.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { findSignInsAt } from '../../store/granted-elsewhere.ts';
import { findFurtherFacts } from '../../store/groups-and-fields.ts';
import { readSettings } from '../../store/settings.ts';
import { count, touchLastUse } from '../../store/usage.ts';
import { spendProof } from '../dpop.ts';
import { checkFresh } from './fresh.ts';
import type { IdJagAnswer, TokenRequest } from './grant.ts';

/**
 * Tells another server who is signed in to a client, with a JWT that is meant for that server and
 * names the client as it is known there. The client presents an ID token or a refresh token of its
 * own, whose sign-in must still be valid.
 * @throws OAuthRefusal
 */
export async function issueIdJag(
  { params, http, dpop: sent }: TokenRequest,
  client: Client,
  now: Date,
): Promise<IdJagAnswer> {
  const asked = readIdJagRequest(params, client);
  // A DPoP proof binds the assertion to its key. Without one, the assertion is bound to the client
  // alone.
  const dpop = sent && checkProof(sent, client, await readSettings());
  const signIn = await readSignIn(params, client, now);
  http.about.userId = signIn.userId;
  await checkFresh(client, signIn, now);
  await checkGroup(asked, signIn.userId);
  const revision = await readRevision();
  const signer = await signerFor(client.idTokenAlg, revision, now);
  const about = {
    sub: subjectOf(client, signIn.userId),
    authTime: signIn.authTime,
    amr: signIn.amr,
    acr: acrOf(signIn.amr, undefined),
    email: addressOf(signIn),
  };
  const issuer = issuerKnownTo(client, config().issuer);
  await spendProof(dpop);
  const said = { issuer, jkt: dpop?.jkt ?? null, jti: newId(now) };
  const jwt = await signer(idJagClaims(said, asked, about, now), idJagType);
  count('tokens-issued', client.id, now);
  touchLastUse('clients', client.id, now);
  return {
    issued_token_type: idJagTokenType,
    access_token: jwt,
    token_type: 'N_A',
    expires_in: idJagLife,
    ...(asked.scope !== undefined && { scope: asked.scope }),
  };
}

/** The user's email address, if it is verified and the client may know it. */
function addressOf({ user, scope }: Authorization): string | null {
  return user?.emailVerified && scope.split(' ').includes('email') ? user.email : null;
}

/** Checks that the user is in the required group. @throws OAuthRefusal invalid_request */
async function checkGroup({ group, audience }: AskedIdJag, userId: string): Promise<void> {
  if (group === null) return;
  const facts = await findFurtherFacts(userId);
  if (facts?.groups.includes(group)) return;
  refuse('invalid_request', 'The person may not use that server from this client.', {
    rule: 'identity.group',
    received: `a user who is not in “${group}”, for ${audience}`,
    expected: [`a member of “${group}”`],
  });
}

/** The sign-in that the subject token comes from. @throws OAuthRefusal invalid_request */
async function readSignIn(params: Params, client: Client, now: Date): Promise<Authorization> {
  const [text, type] = [first(params, 'subject_token'), first(params, 'subject_token_type')];
  const known = [tokenTypes.idToken, tokenTypes.refreshToken] as const;
  const kind = known.find((each) => each === type);
  if (text === undefined || kind === undefined)
    refuse('invalid_request', 'Send an ID token or a refresh token as subject_token.', {
      rule: 'exchange.parameter',
      received: text === undefined ? 'no subject_token' : (type ?? 'no subject_token_type'),
      expected: known,
    });
  const found =
    kind === tokenTypes.idToken
      ? await byIdToken(text, client, now)
      : await byRefreshToken(text, client, now);
  return (
    found ??
    refuse('invalid_request', 'subject_token is not a live token of this client.', {
      rule: 'identity.subject',
      received: masked('a token of another client, or one that has ended', text),
      expected: ['an ID token or a refresh token of this client, whose sign-in is still valid'],
    })
  );
}

async function byIdToken(text: string, client: Client, now: Date): Promise<Authorization | null> {
  const told = await readIdToken(text, await readRevision(), now);
  if (told?.aud !== client.id) return null;
  const signIns = await findSignInsAt(client.id, told.authTime, now);
  const own = signIns.find(({ userId }) => isSubject(told.sub, client, userId));
  return own ? alive((await findAuthorization(own.id)).authorization) : null;
}

async function byRefreshToken(
  text: string,
  client: Client,
  now: Date,
): Promise<Authorization | null> {
  const { presented } = await findPresented(await openToken(text, 'refreshToken'));
  if (presented?.clientId !== client.id || presented.lineage.length > 0) return null;
  const { idleUntil } = presented;
  const isCurrent = judgeAge(presented, now) === 'current' && idleUntil && idleUntil > now;
  return isCurrent ? alive(presented) : null;
}

const alive = (found: Authorization | null) =>
  found?.alive && !found.revokedAt && found.redeemedAt ? found : null;
