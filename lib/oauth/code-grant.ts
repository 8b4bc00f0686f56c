import type { Client } from './client.ts';
import { type ClientCredentials, checkClientAuthentication } from './client-auth.ts';
import { checkKey, checkProof, type Dpop, type DpopProof, fitsKey } from './dpop.ts';
import { OAuthRefusal, refuse } from './errors.ts';
import { masked } from './facts.ts';
import { checkGrantType } from './grant-types.ts';
import { first, type Params } from './params.ts';
import { checkVerifier, codeChallengeOf, isVerifier } from './pkce.ts';
import { repeatable } from './resource.ts';
import { digest, sameDigest } from './secrets.ts';
import type { ProtocolSettings } from './settings.ts';
import { judgesTokens } from './sign-in-rules.ts';
import { codeLifeOf } from './strong-client.ts';
import type { Barred, IssuedAuthorization } from './token-request.ts';
import { checkTarget, type Known, type TokenTarget } from './token-target.ts';
import type { Token } from './tokens.ts';

/** A request of the authorization code grant, and everything it is checked against. */
type CodeRequest = {
  params: Params;
  credentials: ClientCredentials;
  /** The client the request names, if it exists. */
  named: Client | null;
  settings: ProtocolSettings;
  dpop: Dpop;
};
/** The same, for a request whose code can be read. */
type KnownCodeRequest = CodeRequest & {
  known: Known;
  /** What bars the code's user from its client; null: nothing. */
  barred: Barred | null;
};

/** A presented code: its authorization, and when the code expires. */
type PresentedCode = IssuedAuthorization & Pick<Token, 'expiresAt' | 'jkt'>;

/** The authenticated client, and the digest of the secret it used; null: it used none. */
export type Proof = { client: Client; secretHash: string | null };
/** The same, with the key that its tokens will be bound to; null: none. */
type BoundProof = Proof & { dpop: DpopProof | null };

/**
 * The outcome: the code is redeemed; or the request is refused, and the code is kept ('refuse'),
 * burned, or revoked with all its tokens ('end').
 */
type CodeVerdict =
  | ({ does: 'redeem'; target: TokenTarget } & BoundProof)
  | { does: 'refuse' | 'burn' | 'end'; refusal: OAuthRefusal };

/**
 * The rules of the authorization code grant (RFC 6749 section 4.1.3), in their order.
 *
 * The client authenticates first, so that only the code's own client can learn anything about a
 * code or change it. Missing parameters come before the code is looked at, so that such a mistake
 * never costs a client its code. Next comes whose code it is: an attempt by another client changes
 * nothing. If the user has lost access to the client, that is why the code ended, not a second use.
 * A second use of a code ends its tokens, whatever else is wrong with the request. A code that has
 * expired, or whose authorization has ended, is just refused. After that each failure burns the
 * code, because the sender holds a code that was not meant for it. A client that passes all this
 * but names a wrong API may try again.
 *
 * Most requests never get here: `judgeUnseenCode` lets them through to one statement, `redeemCode`.
 * A new rule about the request belongs in `checkBeforeCode`, which both functions call. A new rule
 * about the authorization must also become a condition of that statement, or a reason for
 * `judgeUnseenCode` to return null.
 * @param code null: there is no such code
 */
export function judgeCode(
  request: KnownCodeRequest,
  code: PresentedCode | null,
  now: Date,
): CodeVerdict {
  let failing: 'refuse' | 'burn' | 'end' = 'refuse';
  try {
    const proof = checkBeforeCode(request);
    if (!code) refuse('invalid_grant', 'There is no such code.', { rule: 'code.unknown' });
    if (code.clientId !== proof.client.id)
      refuse('invalid_grant', 'The code was issued to another client.', {
        rule: 'code.other-client',
        received: proof.client.id,
        expected: [code.clientId],
      });
    failing = 'burn';
    const { barred } = request;
    if (barred?.by === 'app' && code.redeemedAt === null) throw barred.refusal;
    failing = 'end';
    if (isUsed(code))
      refuse('invalid_grant', 'The code has already been used.', { rule: 'code.used' });
    failing = 'refuse';
    checkLive(code, codeLifeOf(proof.client, request.settings), now);
    failing = 'burn';
    if (barred) throw barred.refusal;
    checkRedirectUri(request, code);
    checkState(request.params, code);
    checkVerifier(first(request.params, 'code_verifier'), code.codeChallenge);
    checkKey(code.jkt, proof.dpop, 'code');
    failing = 'refuse';
    const target = checkTarget({ ...request, client: proof.client }, code, code.scope);
    return { does: 'redeem', ...proof, target };
  } catch (error) {
    if (error instanceof OAuthRefusal) return { does: failing, refusal: error };
    throw error;
  }
}

function checkLive(code: PresentedCode, codeTtl: number, now: Date): void {
  const late = Math.ceil((now.getTime() - code.expiresAt.getTime()) / 1000);
  if (code.expiresAt <= now)
    refuse('invalid_grant', 'The code has expired.', {
      rule: 'code.expired',
      received: `${codeTtl + late} s old`,
      expected: [`at most ${codeTtl} s`],
    });
  if (!code.alive)
    refuse(
      'invalid_grant',
      'The user, their session, the client or the consent behind the code is gone or disabled.',
      { rule: 'code.ended' },
    );
}

/** The rules that don't need the code: client and required parameters. @throws OAuthRefusal */
function checkBeforeCode({ params, credentials, named, settings, dpop }: CodeRequest): BoundProof {
  const proof = checkClientAuthentication(named, credentials);
  checkGrantType(proof.client, 'authorization_code');
  const bound = checkProof(dpop, proof.client, settings, credentials.ofTrial);
  if (first(params, 'code') === undefined)
    refuse('invalid_request', 'code is missing.', { rule: 'code.missing', expected: ['code'] });
  // The other profiles accept PKCE instead of redirect_uri, and only the code shows if it was used.
  const needed = needsRedirectUri(proof.client, settings) && settings.profile === 'interface';
  if (needed && first(params, 'redirect_uri') === undefined)
    refuse('invalid_request', 'redirect_uri is missing.', {
      rule: 'redirect-uri.missing',
      expected: proof.client.redirectUris,
    });
  if (settings.enforceState && first(params, 'state') === undefined)
    refuse('invalid_request', 'state is missing.', { rule: 'state.missing', expected: ['state'] });
  return { ...proof, dpop: bound };
}

function needsRedirectUri(client: Client, settings: ProtocolSettings): boolean {
  return settings.enforceRedirectUri || client.redirectUris.length === 0;
}

/** Compares with the URI that the code was sent to, even if the request for the code named none. */
function checkRedirectUri({ params, named, settings }: CodeRequest, code: PresentedCode): void {
  const sent = first(params, 'redirect_uri');
  const missing = sent === undefined && named !== null && needsRedirectUri(named, settings);
  if (missing && code.codeChallenge === null)
    refuse('invalid_grant', 'redirect_uri is missing, and PKCE was not used.', {
      rule: 'redirect-uri.missing',
      expected: [code.redirectUri],
    });
  if (sent !== undefined && sent !== code.redirectUri)
    refuse('invalid_grant', 'redirect_uri differs from the one the code was issued for.', {
      rule: 'redirect-uri.differs',
      received: sent,
      expected: [code.redirectUri],
    });
}

function checkState(params: Params, { stateHash }: PresentedCode): void {
  const state = first(params, 'state');
  if (state !== undefined && !(stateHash && sameDigest(digest(state), stateHash)))
    refuse('invalid_grant', 'state differs from the one in the authorization request.', {
      rule: 'state.differs',
      received: masked('a state', state),
      expected: [stateHash ? 'the state of the authorization request' : 'none'],
    });
}

function isUsed(authorization: IssuedAuthorization): boolean {
  return authorization.redeemedAt !== null || authorization.revokedAt !== null;
}

/** The redirect URI and the state if they were sent, and exactly this challenge. */
export type Binding = {
  redirectUri: string | null;
  stateHash: string | null;
  codeChallenge: string | null;
};

/**
 * The binding under which one statement can redeem a code without reading it first. Null if the
 * code must be read to judge the request, for example if the client has rules about sign-ins, or an
 * API is named. A request that passes here with that binding, and is for no API, also passes
 * `judgeCode`.
 * @param jkt the key that the code is bound to; null: none
 */
export function judgeUnseenCode(
  request: CodeRequest,
  jkt: string | null,
): (BoundProof & { binding: Binding }) | null {
  const { params, settings } = request;
  const redirectUri = first(params, 'redirect_uri') ?? null;
  const [state, verifier] = [first(params, 'state'), first(params, 'code_verifier')];
  if (params.has(repeatable) || (verifier !== undefined && !isVerifier(verifier))) return null;
  try {
    const proof = checkBeforeCode(request);
    if (judgesTokens(proof.client) || !fitsKey(jkt, proof.dpop)) return null;
    if (redirectUri === null && verifier === undefined && needsRedirectUri(proof.client, settings))
      return null;
    const codeChallenge = verifier === undefined ? null : codeChallengeOf(verifier);
    const stateHash = state === undefined ? null : digest(state);
    return { ...proof, binding: { redirectUri, stateHash, codeChallenge } };
  } catch (error) {
    // The request is judged again, by `judgeCode`, with the code that was read.
    if (error instanceof OAuthRefusal) return null;
    throw error;
  }
}
