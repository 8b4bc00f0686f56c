import { barredFrom } from '../../access/held.ts';
import { areTermsRequired } from '../../access/terms.ts';
import { isTrusted } from '../../identity/token-keys.ts';
import { findPresented, openToken } from '../../identity/tokens.ts';
import { refuse } from '../../oauth/errors.ts';
import { atIssuer, elsewhere } from '../../oauth/old-issuer.ts';
import { first } from '../../oauth/params.ts';
import { judgeRefresh, judgeUnseenRefresh } from '../../oauth/refresh-grant.ts';
import { noteIgnored, repeatable } from '../../oauth/resource.ts';
import { addSeconds, earlier, lifetimes } from '../../oauth/token-request.ts';
import { askedIn } from '../../oauth/token-target.ts';
import type { OpenedToken } from '../../oauth/tokens.ts';
import {
  extendRefreshToken,
  type Judged,
  rotateRefreshToken,
  type Taken,
} from '../../store/authorizations.ts';
import { clientAt } from '../../store/clients.ts';
import { likelyRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy } from '../../store/trace-rings.ts';
import { readClient, readUnspent } from '../client-authentication.ts';
import { spendProof } from '../dpop.ts';
import { type Asking, issuerFor, issueTokens, type TokenAnswer } from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import type { TokenRequest } from './grant.ts';
import { refuseToken } from './refused.ts';
import { signInEndOf, type Turn, takeStep } from './step.ts';

/** The refresh token grant (RFC 6749 section 6). @throws OAuthRefusal */
export async function refreshToken(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http } = request;
  const opened = await openToken(first(params, 'refresh_token') ?? '', 'refreshToken');
  http.about.attempt = opened?.id ?? null;
  const refreshed = opened && (await refreshUnseen(opened, request, now));
  return refreshed ?? refreshSeen(opened, request, now);
}

/**
 * Refreshes a request that is valid according to all that this process knows, in one statement that
 * checks the rest. Null for any other request; nothing has happened then.
 */
async function refreshUnseen(
  token: OpenedToken,
  request: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  const { params, http } = request;
  if (params.has('scope') || params.has(repeatable)) return null;
  const revision = await likelyRevision();
  if (!(await isTrusted(token.keyId, revision))) return null;
  const unspent = await readUnspent(request, revision, now);
  if (!unspent) return null;
  const { assertion, ...sent } = unspent;
  const settings = await settingsAt(revision);
  const asked = { ...request, ...sent, owner: sent.named, settings };
  const proof = judgeUnseenRefresh(asked, token.jkt);
  if (!proof || (await areTermsRequired(proof.client, now))) return null;
  Object.assign(http.about, { clientId: proof.client.id, behind: provedBy(proof.client) });
  const { id, counter } = token;
  const turn = { ...proof, id, settings, revision, assertion, seen: null };
  return refresh(turn, { counter, asked: null }, now);
}

/**
 * Reads the token and all it is judged by in one statement, and refreshes it if allowed.
 * @param before the authorization's counter at the previous attempt, if another request was faster
 * than this one
 */
async function refreshSeen(
  opened: OpenedToken | null,
  request: TokenRequest,
  now: Date,
  before: number | null = null,
): Promise<TokenAnswer> {
  const { params, http } = request;
  const { token, revision, asked } = await readAsked(opened, request, now);
  const { barred, settings } = asked;
  const verdict = judgeRefresh(asked, token, now);
  if ('refusal' in verdict) {
    const refused = { ...verdict, sent: 'refresh-token', authorization: token, barred } as const;
    return refuseToken(refused, http, now);
  }
  if (!token) throw new Error('Nothing is refreshed without a token.');
  if (token.rotation === before)
    refuse('invalid_grant', 'The refresh token is gone.', { rule: 'refresh-token.ended' });
  const { client, secretHash, target, dpop } = verdict;
  http.about.notes.push(...noteIgnored(target));
  const seen = { authorization: token, target };
  const turn = { client, secretHash, dpop, id: token.id, settings, revision, seen };
  if (verdict.does === 'repeat') return answerAgain(turn, now);
  const presented = { counter: token.counter, asked: askedIn(params) };
  const refreshed = await refresh(turn, presented, now);
  // Either another request was faster and this one is now a repeat, or something that it depends on
  // has ended.
  return refreshed ?? refreshSeen(opened, request, now, token.rotation);
}

/** The token, and all that its request is judged by. Notes who stands behind it. */
async function readAsked(opened: OpenedToken | null, request: TokenRequest, now: Date) {
  const { about, oldIssuer } = request.http;
  const { revision, presented: token } = await findPresented(opened);
  const { credentials, named } = await readClient(request, revision, now);
  const owner = token && (await clientAt(revision, token.clientId));
  about.clientId ??= owner?.id ?? null;
  if (owner && owner.id === about.clientId) about.behind = provedBy(owner);
  about.userId = token?.userId ?? null;
  // A confidential client may omit its id. Even so, at the addresses of an old issuer the token's
  // owner must be one of the apps that use that issuer.
  const ownerHere = atIssuer(owner, oldIssuer);
  if (owner && !ownerHere) about.notes.push(elsewhere(oldIssuer));
  const barred = owner && (await barredFrom(owner, token, 'kept', now));
  const settings = await settingsAt(revision);
  const known = await knownAt(revision);
  const asked = { ...request, credentials, named, owner: ownerHere, settings, known, barred };
  return { token, revision, asked };
}

/**
 * Whether refresh tokens rotate. Those of public clients always do; others do unless the operator
 * has switched it off; those of strong clients never do (FAPI 2.0 Security Profile section
 * 5.3.2.1), because a lost response must not cost them their access.
 */
const rotates = ({ client, settings }: Asking) =>
  client.type === 'public' || (settings.alwaysIssueNewRefreshToken && !client.strong);

/** Its counter, and the `scope` and `resource` sent with it, which a repeat must match. */
type Sent = { counter: number; asked: string | null };

/** Null if another request was faster, or something that it depends on has ended. */
function refresh(turn: Turn, sent: Sent, now: Date): Promise<TokenAnswer | null> {
  const rotation = rotates(turn) ? sent.counter + 1 : null;
  const what = { what: 'refresh', rotation } as const;
  return takeStep(turn, what, (judged) => rotateOrExtend(judged, turn, sent, now), now);
}

function rotateOrExtend(
  judged: Judged,
  turn: Turn,
  { counter, asked }: Sent,
  now: Date,
): Promise<Taken | null> {
  const { refreshToken: idle } = lifetimes(turn.client, turn.settings);
  const idleUntil = earlier(addSeconds(now, idle), signInEndOf(turn));
  return rotates(turn)
    ? rotateRefreshToken(judged, { counter, scope: asked, idleUntil }, now)
    : extendRefreshToken(judged, { counter, idleUntil }, now);
}

/**
 * Answers a just-rotated refresh token again if its successor is unused: a response was lost, or
 * two tabs sent it. The tokens are the same, computed again from the same values.
 */
async function answerAgain(
  { seen, ...turn }: Turn & { seen: NonNullable<Turn['seen']> },
  now: Date,
): Promise<TokenAnswer> {
  const { authorization, target } = seen;
  const { rotation, rotatedAt, idleUntil, grantId, keepUntil } = authorization;
  if (!rotatedAt || !idleUntil) throw new Error('A rotation has a moment.');
  const issuer = await issuerFor(turn, target.apis, rotatedAt);
  await spendProof(turn.dpop);
  const kept = { id: turn.id, rotation, idleUntil, grantId, keepUntil, authorization };
  const { scope, narrowed } = target;
  const step = { ...kept, scope, narrowed, what: 'repeat', at: rotatedAt } as const;
  return issueTokens(issuer, step, now);
}
