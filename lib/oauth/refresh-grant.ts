import type { Client } from './client.ts';
import { type ClientCredentials, checkClientAuthentication, refuseClient } from './client-auth.ts';
import { proofOf, provesByAssertion } from './client-auth-methods.ts';
import { checkKey, checkProof, type Dpop, type DpopProof, fitsKey } from './dpop.ts';
import { OAuthRefusal, refuse } from './errors.ts';
import { checkGrantType } from './grant-types.ts';
import { first, type Params } from './params.ts';
import { identifiersIn, repeatable } from './resource.ts';
import { isWithin, parseScope } from './scope.ts';
import type { ProtocolSettings } from './settings.ts';
import { judgesTokens } from './sign-in-rules.ts';
import { mayExchangeFor } from './token-exchange.ts';
import type { Barred, IssuedAuthorization } from './token-request.ts';
import { askedIn, checkTarget, type Known, type TokenTarget } from './token-target.ts';
import type { Token } from './tokens.ts';

/** A request of the refresh token grant, and everything it is checked against. */
type RefreshRequest = {
  params: Params;
  credentials: ClientCredentials;
  /** The client that the request names, and the one the token belongs to; null if there is none. */
  named: Client | null;
  owner: Client | null;
  settings: ProtocolSettings;
  dpop: Dpop;
};
/** The same, for a request whose token can be read. */
type KnownRefreshRequest = RefreshRequest & {
  known: Known;
  /** What bars the token's user from its client; null: nothing. */
  barred: Barred | null;
};

/** A presented refresh token: its content and its authorization. */
type PresentedRefreshToken = IssuedAuthorization & Pick<Token, 'counter' | 'expiresAt' | 'jkt'>;

/**
 * The token's client, the digest of the secret that was sent (null: none), and the key that its new
 * tokens will be bound to (null: none).
 */
type RefreshProof = { client: Client; secretHash: string | null; dpop: DpopProof | null };

/**
 * The outcome: new tokens; the previous response again; a refusal; or revocation of the whole
 * authorization. It is revoked because a copy of an old token is in use ('end'), or because the
 * user may no longer use the client or the sign-in no longer meets the client's rules ('burn').
 */
type RefreshVerdict =
  | ({ does: 'refresh' | 'repeat'; target: TokenTarget } & RefreshProof)
  | { does: 'refuse' | 'burn' | 'end'; refusal: OAuthRefusal };

/**
 * The rules of the refresh token grant (RFC 6749 section 6), in their order.
 *
 * The sender is authenticated first, as far as the contract allows, so that no one else can learn
 * anything about a token or end anything with it. Next come whose token it is, whether its user may
 * use the client, and whether its authorization is still alive. Only then comes the token's age,
 * because an old token of an ended authorization has nothing left to end. The client's demands on
 * sign-ins come after that, so that a copied token is reported as one. A request for more scope or
 * another API comes last, and costs nothing.
 *
 * If a check throws, only the request fails. Outcomes that also end the authorization are returned.
 *
 * Most requests never get here: `judgeUnseenRefresh` lets them through to one statement,
 * `rotateRefreshToken` or `extendRefreshToken`. A new rule about the request belongs in
 * `checkBeforeToken`, which both functions call. A new rule about the authorization must also
 * become a condition of those statements, or a reason for `judgeUnseenRefresh` to return null.
 * @param presented null: there is no such token
 */
export function judgeRefresh(
  request: KnownRefreshRequest,
  presented: PresentedRefreshToken | null,
  now: Date,
): RefreshVerdict {
  try {
    const { token, ...proof } = checkPresented(request, presented);
    const { barred } = request;
    if (barred?.by === 'app') return { does: 'burn', refusal: barred.refusal };
    checkAlive(token);
    const age = judgeAge(token, now);
    if (age === 'reuse') return { does: 'end', refusal: refusalOfReuse(token) };
    // It works again once they have agreed.
    if (barred?.by === 'terms') return { does: 'refuse', refusal: barred.refusal };
    if (barred) return { does: 'burn', refusal: barred.refusal };
    checkTime(token, age, now);
    checkStillPermitted(token, proof.client);
    if (age === 'repeat') checkSameAsked(request.params, token);
    const scope = narrowScope(first(request.params, 'scope'), token);
    return {
      does: age === 'repeat' ? 'repeat' : 'refresh',
      target: checkTarget({ ...request, client: proof.client }, token, scope),
      ...proof,
    };
  } catch (error) {
    if (error instanceof OAuthRefusal) return { does: 'refuse', refusal: error };
    throw error;
  }
}

/** Checks the token's sender, its owner and the key of its proof. @throws OAuthRefusal */
function checkPresented(
  request: RefreshRequest,
  token: PresentedRefreshToken | null,
): RefreshProof & { token: PresentedRefreshToken } {
  const secretHash = checkBeforeToken(request);
  if (first(request.params, 'refresh_token') === undefined)
    refuse('invalid_request', 'refresh_token is missing.', {
      rule: 'refresh-token.missing',
      expected: ['refresh_token'],
    });
  const { named, owner, credentials, settings } = request;
  if (!token || !owner)
    refuse('invalid_grant', 'There is no such refresh token.', { rule: 'refresh-token.unknown' });
  if (named && named.id !== owner.id)
    refuse('invalid_grant', 'The refresh token was issued to another client.', {
      rule: 'refresh-token.other-client',
      received: named.id,
      expected: [owner.id],
    });
  checkGrantType(owner, 'refresh_token');
  const dpop = checkProof(request.dpop, owner, settings, credentials.ofTrial);
  if (provesItself(credentials)) checkStaysDpop(token, dpop);
  else checkKey(token.jkt, dpop, 'refresh token');
  return { token, client: owner, secretHash, dpop };
}

/** The token's authorization must still be alive. @throws OAuthRefusal invalid_grant */
function checkAlive({ alive, revokedAt, redeemedAt }: PresentedRefreshToken): void {
  if (alive && !revokedAt && redeemedAt) return;
  refuse(
    'invalid_grant',
    'The user, the client, the consent or the authorization behind the refresh token is gone or disabled.',
    { rule: 'refresh-token.ended' },
  );
}

const refusalOfReuse = ({ rotation }: PresentedRefreshToken): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_grant',
    'The refresh token has already been used.',
    {},
    {
      rule: 'refresh-token.used',
      received: `the token before rotation ${rotation}`,
      expected: ['the refresh token of the last answer'],
    },
  );

/** The token must not be newer than the database, or expired. @throws OAuthRefusal invalid_grant */
function checkTime(token: PresentedRefreshToken, age: Exclude<Age, 'reuse'>, now: Date): void {
  if (age === 'unknown')
    refuse(
      'invalid_grant',
      'The refresh token is newer than the database, which may have been restored from a backup.',
      { rule: 'refresh-token.unknown' },
    );
  const end = age === 'repeat' ? token.expiresAt : token.idleUntil;
  if (!end || end <= now)
    refuse('invalid_grant', 'The refresh token has expired.', {
      rule: 'refresh-token.expired',
      received: end ? `a use on ${now.toISOString()}` : undefined,
      expected: end ? [`before ${end.toISOString()}`] : [],
    });
}

/**
 * Tokens from token exchange live on only while an admin allows the client that exchange.
 * @throws OAuthRefusal
 */
function checkStillPermitted({ lineage, resources }: PresentedRefreshToken, owner: Client): void {
  if (lineage.length === 0) return;
  const gone = identifiersIn(resources).find((identifier) => !mayExchangeFor(owner, identifier));
  if (gone === undefined) return;
  refuse('invalid_grant', 'This client may not exchange tokens for this API any more.', {
    rule: 'exchange.not-permitted',
    received: gone,
    expected: owner.exchangeFor,
  });
}

/**
 * If a bound token was exchanged, the result stays bound, even for clients that may change their
 * key.
 * @throws OAuthRefusal invalid_grant
 */
function checkStaysDpop({ lineage, jkt }: PresentedRefreshToken, proof: DpopProof | null): void {
  if (lineage.length === 0 || jkt === null || proof !== null) return;
  refuse('invalid_grant', 'The exchanged token was bound to a key, so this needs a DPoP proof.', {
    rule: 'exchange.unbound',
    received: 'no DPoP proof',
    expected: ['a DPoP proof'],
  });
}

/** A repeat is the same request again, so it must ask for the same token. @throws OAuthRefusal */
function checkSameAsked(params: Params, { rotatedScope }: PresentedRefreshToken): void {
  const asked = askedIn(params);
  if (asked === rotatedScope) return;
  refuse('invalid_grant', 'The repeat requests another scope or resource than the first use.', {
    rule: 'scope.wider',
    received: asked ?? undefined,
    expected: [rotatedScope ?? 'no scope'],
  });
}

/**
 * Judges what one statement can refresh without reading the authorization first. Null if the
 * authorization must be read, for example if the client has rules about sign-ins, or a scope or an
 * API is named. A request that passes here, and is for no API, also passes `judgeRefresh`.
 * @param jkt the key that the token is bound to; null: none
 */
export function judgeUnseenRefresh(
  request: RefreshRequest,
  jkt: string | null,
): RefreshProof | null {
  const { named, params, credentials, settings } = request;
  if (!named || params.has('scope') || params.has(repeatable)) return null;
  try {
    const secretHash = checkBeforeToken(request);
    checkGrantType(named, 'refresh_token');
    const dpop = checkProof(request.dpop, named, settings, credentials.ofTrial);
    if (!provesItself(credentials) && !fitsKey(jkt, dpop)) return null;
    return judgesTokens(named) ? null : { client: named, secretHash, dpop };
  } catch (error) {
    // The request is judged again, by `judgeRefresh`, with the authorization that was read.
    if (error instanceof OAuthRefusal) return null;
    throw error;
  }
}

/**
 * Authenticates the sender. The contract lists no client credentials for this grant, so profile
 * `interface` does not require any; if sent, they must be correct. Returns the digest of the secret
 * that was sent, or null.
 */
function checkBeforeToken({ credentials, named, owner, settings }: RefreshRequest): string | null {
  if (credentials.ofTrial || credentials.assertion !== undefined)
    return checkClientAuthentication(named, credentials).secretHash;
  if (credentials.secret !== undefined) {
    if (credentials.id === undefined)
      refuse('invalid_request', 'client_secret was sent without client_id.', {
        rule: 'client-auth.malformed',
        received: 'client_secret alone',
        expected: ['client_id and client_secret'],
      });
    return checkClientAuthentication(named, credentials).secretHash;
  }
  if (credentials.id !== undefined && !named)
    refuseClient('There is no client with this client_id.', credentials.usedBasic, {
      rule: 'client.unknown',
      received: credentials.id,
    });
  const client = named ?? owner;
  if (!client) return null;
  if (client.disabled)
    refuseClient('This client is disabled.', credentials.usedBasic, { rule: 'client.disabled' });
  if (provesAtRefresh(client, settings) || credentials.usedBasic)
    checkClientAuthentication(client, credentials);
  return null;
}

/**
 * Whether a client must authenticate to refresh. The contract lists no credentials for clients with
 * a secret. Clients that authenticate with an assertion are outside the contract.
 */
function provesAtRefresh(client: Client, settings: ProtocolSettings): boolean {
  if (proofOf(client) !== 'secret') return provesByAssertion(client);
  return client.requireClientAuthOnRefresh ?? settings.requireClientAuthOnRefresh;
}

/** Whether the credentials, already checked, prove the client. */
const provesItself = ({ secret, assertion, ofTrial }: ClientCredentials) =>
  secret !== undefined || assertion !== undefined || ofTrial === true;

/**
 * Whether a client's refresh tokens are bound to the key of its proof: they are if nothing else
 * proves who sends them (RFC 9449 section 5).
 */
export const bindsRefreshTokens = (client: Client, settings: ProtocolSettings): boolean =>
  !provesAtRefresh(client, settings);

/**
 * Milliseconds for which a refresh token that was just rotated gets the same response again: a
 * response may get lost, and two tabs may refresh at the same time.
 */
export const replayWindow = 30_000;

type Age = 'current' | 'repeat' | 'reuse' | 'unknown';

/**
 * Classifies a refresh token by its counter: current; just rotated, so it is answered again; or
 * old, so a copy is in use (RFC 9700 section 4.14.2). A counter ahead of the authorization's was
 * issued after the backup from which the database was restored.
 */
export function judgeAge(token: PresentedRefreshToken, now: Date): Age {
  if (token.counter >= token.rotation)
    return token.counter === token.rotation ? 'current' : 'unknown';
  const last = token.counter === token.rotation - 1;
  const recent = token.rotatedAt && now.getTime() - token.rotatedAt.getTime() <= replayWindow;
  return last && recent ? 'repeat' : 'reuse';
}

/**
 * The scope of the new access token: all of the refresh token's scope, or the part that was asked
 * for (RFC 6749 section 6).
 * @throws OAuthRefusal invalid_scope
 */
export function narrowScope(
  asked: string | undefined,
  token: Pick<IssuedAuthorization, 'scope'>,
): string {
  if (asked === undefined) return token.scope;
  const names = parseScope(asked);
  if (!isWithin(names, token.scope.split(' ')))
    refuse('invalid_scope', 'scope exceeds the scope of the refresh token.', {
      rule: 'scope.wider',
      received: asked,
      expected: token.scope.split(' '),
    });
  return names.join(' ');
}
