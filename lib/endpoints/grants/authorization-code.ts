import { actorAt } from '../../http/actor.ts';
import type { HttpRequest } from '../../http/message.ts';
import { isTrusted } from '../../identity/token-keys.ts';
import { findPresented, openToken, type Presented } from '../../identity/tokens.ts';
import { isListed, noAccess } from '../../oauth/access.ts';
import { pendingRequestLife } from '../../oauth/authorization-request.ts';
import { readClientCredentials } from '../../oauth/client-auth.ts';
import {
  isUsed,
  judgeCode,
  judgeUnseenCode,
  type KnownCodeRequest,
  type Proof,
} from '../../oauth/code-grant.ts';
import { refuse } from '../../oauth/errors.ts';
import { first } from '../../oauth/params.ts';
import { noteIgnored } from '../../oauth/resource.ts';
import type { ProtocolSettings } from '../../oauth/settings.ts';
import { signInEnd } from '../../oauth/sign-in-rules.ts';
import { earlier, later, lifetimes } from '../../oauth/token-request.ts';
import type { TokenTarget } from '../../oauth/token-target.ts';
import type { OpenedToken } from '../../oauth/tokens.ts';
import { auditNoAccess } from '../../store/access.ts';
import { eventBy } from '../../store/actor.ts';
import { auditOnce } from '../../store/audit.ts';
import {
  findAuthorization,
  redeemCode,
  revokeAuthorization,
  type Stepped,
} from '../../store/authorizations.ts';
import { likelyRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy, stronger } from '../../store/trace-rings.ts';
import { log } from '../../telemetry/log.ts';
import { clientNamed, readClient } from '../client-authentication.ts';
import {
  type Issuer,
  issuerFor,
  issueTokens,
  type Step,
  type TokenAnswer,
} from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import type { TokenRequest } from './grant.ts';

/** The authorization code grant (RFC 6749 section 4.1.3). @throws OAuthRefusal */
export async function authorizationCode(
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const opened = await openToken(first(params, 'code') ?? '', 'code');
  http.about.attempt = opened?.id ?? null;
  const redeemed = opened && (await redeemUnseen(opened, { params, http }, now));
  if (redeemed) return redeemed;
  // Reads without redeeming: one statement finds the code and what the client is judged against.
  const { revision, presented: code } = await findPresented(opened);
  http.about.userId = code?.userId ?? null;
  const { credentials, named } = await readClient(params, http, revision);
  // A code passes through the browser of the person who allowed it: it proves them, and not yet the app.
  if (code && code.clientId === named?.id)
    http.about.behind = stronger(http.about.behind, 'person');
  const settings = await settingsAt(revision);
  const known = await knownAt(revision);
  const request = { params, credentials, named, settings, known };
  const verdict = judgeCode(request, code, now);
  if (verdict.does === 'redeem' && code) return redeem(code, verdict, request, revision, http, now);
  if (verdict.does === 'redeem') throw new Error('There is a code where one is redeemed.');
  if (verdict.does === 'burn' && code) await burn(code, http, now);
  if (verdict.does === 'end' && code) await endReused(code, http, now);
  throw verdict.refusal;
}

/**
 * Fast path: redeems a request that is valid by everything this process knows in one statement,
 * which checks the rest. Null for anything else; nothing has happened then.
 */
async function redeemUnseen(
  code: OpenedToken,
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  if (code.expiresAt <= now) return null;
  const credentials = readClientCredentials(params, http.header('authorization'));
  const revision = await likelyRevision();
  if (!(await isTrusted(code.keyId, revision))) return null;
  const named = await clientNamed(credentials, revision);
  const settings = await settingsAt(revision);
  const request = { params, credentials, named, settings };
  const right = judgeUnseenCode(request);
  if (!right) return null;
  Object.assign(http.about, { clientId: right.client.id, behind: provedBy(right.client) });
  const judged = judgedBy(code.id, right, revision);
  const issuer = await issuerOf(right, settings, revision, null, now);
  const stepped = await redeemCode(judged, right.binding, endsOf(right, settings, null, now), now);
  return stepped && issueTokens(issuer, firstStep(code.id, stepped, null, null, now), now);
}

/** Redeems a code that may be, at most once; a second redemption in this instant ends its tokens. */
export async function redeem(
  code: Presented,
  { target, ...proof }: Proof & { target: TokenTarget },
  { settings }: Pick<KnownCodeRequest, 'settings'>,
  revision: number,
  http: HttpRequest,
  now: Date,
): Promise<TokenAnswer> {
  http.about.behind = provedBy(proof.client);
  http.about.notes.push(...noteIgnored(target));
  const issuer = await issuerOf(proof, settings, revision, target, now);
  const bound = { redirectUri: null, stateHash: null, codeChallenge: code.codeChallenge };
  const judged = judgedBy(code.id, proof, null);
  const ends = endsOf(proof, settings, signInEnd(proof.client, code), now);
  const stepped = await redeemCode(judged, bound, ends, now);
  if (stepped) return issueTokens(issuer, firstStep(code.id, stepped, code, target, now), now);
  // Redeemed or burned by someone else in this instant, or what it depends on has ended.
  const { authorization } = await findAuthorization(code.id);
  if (authorization && !authorization.allowed && !authorization.redeemedAt) {
    await burn({ ...code, allowed: false }, http, now);
    throw noAccess('invalid_grant');
  }
  const reused = authorization !== null && isUsed(authorization);
  if (reused) await endReused(code, http, now);
  refuse(
    'invalid_grant',
    reused
      ? 'The code has already been used.'
      : 'The user, the client or the consent behind the code ended during this request.',
    { rule: reused ? 'code.used' : 'code.ended' },
  );
}

const judgedBy = (id: string, { client }: Proof, revision: number | null) => {
  const { id: clientId, epoch: clientEpoch } = client;
  return { id, clientId, clientEpoch, revision, isListed: isListed(client) };
};

/** The code will not be redeemed any more. */
export async function burn(
  { id, allowed, userId, clientId }: Presented,
  http: HttpRequest,
  now: Date,
) {
  await revokeAuthorization(id, now);
  if (!allowed) await auditNoAccess(actorAt(http, null), { userId, clientId }, now);
}

/**
 * The expiry times of a redemption: idle, absolute, and of the last possible access token. `end`:
 * of all that the sign-in gives this client.
 */
function endsOf({ client }: Proof, settings: ProtocolSettings, end: Date | null, now: Date) {
  const { accessToken, refreshToken, refreshTokenMax } = lifetimes(client, settings);
  const endsAt = earlier(later(now, refreshTokenMax), end);
  return {
    idleUntil: earlier(later(now, refreshToken), endsAt),
    endsAt,
    // The request may be sent again for as long, and has had its code.
    keepUntil: later(endsAt, Math.max(accessToken, pendingRequestLife)),
  };
}

function issuerOf(
  proof: Proof,
  settings: ProtocolSettings,
  revision: number,
  target: TokenTarget | null,
  now: Date,
): Promise<Issuer> {
  const { accessToken } = lifetimes(proof.client, settings);
  return issuerFor(proof, revision, accessToken, now, target?.apis);
}

function firstStep(
  id: string,
  stepped: Stepped,
  authorization: Presented | null,
  target: TokenTarget | null,
  now: Date,
): Step {
  const { scope, narrowed } = target ?? { scope: stepped.scope, narrowed: false };
  const first = { what: 'tokens-issued', at: now, rotation: 0, scope, narrowed } as const;
  return { ...stepped, ...first, id, authorization };
}

/**
 * A second redemption revokes every token from the code, including those of a winner in this
 * instant.
 */
export async function endReused(
  { id, userId, clientId }: Presented,
  http: HttpRequest,
  now: Date,
): Promise<void> {
  await revokeAuthorization(id, now);
  const event = eventBy(actorAt(http, null), 'code.reused', { userId, clientId });
  await auditOnce(id, event, now);
  log().warn(
    { requestId: http.id, clientId },
    'a code was presented twice; its tokens are revoked',
  );
}
