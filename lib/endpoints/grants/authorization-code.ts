import { barredFrom } from '../../access/held.ts';
import { areTermsRequired } from '../../access/terms.ts';
import { isTrusted } from '../../identity/token-keys.ts';
import { findPresented, openToken } from '../../identity/tokens.ts';
import { pendingRequestLife } from '../../oauth/authorization-request.ts';
import { type Binding, judgeCode, judgeUnseenCode } from '../../oauth/code-grant.ts';
import { refuse } from '../../oauth/errors.ts';
import { first } from '../../oauth/params.ts';
import { noteIgnored } from '../../oauth/resource.ts';
import { addSeconds, earlier, lifetimes } from '../../oauth/token-request.ts';
import type { OpenedToken } from '../../oauth/tokens.ts';
import { redeemCode } from '../../store/authorizations.ts';
import { clientAt } from '../../store/clients.ts';
import { likelyRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy, stronger } from '../../store/trace-rings.ts';
import { readClient, readUnspent } from '../client-authentication.ts';
import type { TokenAnswer } from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import type { TokenRequest } from './grant.ts';
import { refuseToken } from './refused.ts';
import { signInEndOf, type Turn, takeStep } from './step.ts';

/** The authorization code grant (RFC 6749 section 4.1.3). @throws OAuthRefusal */
export async function authorizationCode(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http } = request;
  const opened = await openToken(first(params, 'code') ?? '', 'code');
  http.about.attempt = opened?.id ?? null;
  const redeemed = opened && (await redeemUnseen(opened, request, now));
  // If another request was faster, this one is judged again by what that one has left.
  return (
    redeemed ??
    (await redeemSeen(opened, request, now)) ??
    (await redeemSeen(opened, request, now)) ??
    refuse(
      'invalid_grant',
      'The user, their session, the client or the consent behind the code ended during this request.',
      { rule: 'code.ended' },
    )
  );
}

/**
 * Redeems a request that is valid according to all that this process knows, in one statement that
 * checks the rest. Null for any other request; nothing has happened then.
 */
async function redeemUnseen(
  code: OpenedToken,
  request: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  if (code.expiresAt <= now) return null;
  const revision = await likelyRevision();
  if (!(await isTrusted(code.keyId, revision))) return null;
  const unspent = await readUnspent(request, revision, now);
  if (!unspent) return null;
  const { assertion, ...sent } = unspent;
  const settings = await settingsAt(revision);
  const right = judgeUnseenCode({ ...request, ...sent, settings }, code.jkt);
  if (!right || (await areTermsRequired(right.client, now))) return null;
  const { binding, ...proof } = right;
  const about = { clientId: proof.client.id, behind: provedBy(proof.client) };
  Object.assign(request.http.about, about);
  const turn = { ...proof, id: code.id, settings, revision, assertion, seen: null };
  return redeem(turn, binding, now);
}

/** Reads the code and all it is judged by in one statement, and redeems it if allowed. */
async function redeemSeen(
  opened: OpenedToken | null,
  request: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  const { http } = request;
  const { revision, presented: code } = await findPresented(opened);
  http.about.userId = code?.userId ?? null;
  const { credentials, named } = await readClient(request, revision, now);
  // A code passes through the browser of the user who allowed it, so it proves the user but not yet
  // the app.
  if (code && code.clientId === named?.id)
    http.about.behind = stronger(http.about.behind, 'person');
  const owner = code && (await clientAt(revision, code.clientId));
  const barred = owner && (await barredFrom(owner, code, 'kept', now));
  const settings = await settingsAt(revision);
  const known = await knownAt(revision);
  const asked = { ...request, credentials, named, settings, known, barred };
  const verdict = judgeCode(asked, code, now);
  if (verdict.does !== 'redeem')
    return refuseToken({ ...verdict, sent: 'code', authorization: code, barred }, http, now);
  if (!code) throw new Error('There is a code where one is redeemed.');
  const { client, secretHash, target, dpop } = verdict;
  http.about.behind = provedBy(client);
  http.about.notes.push(...noteIgnored(target));
  const seen = { authorization: code, target };
  const turn = { client, secretHash, dpop, id: code.id, settings, revision, seen };
  return redeem(turn, challengeBinding(code), now);
}

/** Only the challenge is left to compare: the rest was compared when the code was judged. */
export const challengeBinding = ({ codeChallenge }: Pick<Binding, 'codeChallenge'>): Binding => ({
  redirectUri: null,
  stateHash: null,
  codeChallenge,
});

/** At most once. Null if another was faster, or something that it depends on ended. */
export function redeem(turn: Turn, binding: Binding, now: Date): Promise<TokenAnswer | null> {
  const first = { what: 'tokens-issued', rotation: 0 } as const;
  return takeStep(
    turn,
    first,
    (judged) => redeemCode(judged, binding, endsOf(turn, now), now),
    now,
  );
}

/** The expiry times of a redemption: idle, absolute, and of the last possible access token. */
export function endsOf(turn: Turn, now: Date) {
  const { accessToken, refreshToken, refreshTokenMax } = lifetimes(turn.client, turn.settings);
  const endsAt = earlier(addSeconds(now, refreshTokenMax), signInEndOf(turn));
  return {
    idleUntil: earlier(addSeconds(now, refreshToken), endsAt),
    endsAt,
    // The authorization request can be sent again during this time, and must still be known to have
    // had its code.
    keepUntil: addSeconds(endsAt, Math.max(accessToken, pendingRequestLife)),
  };
}
