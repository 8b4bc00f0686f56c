import { actorAt } from '../../http/actor.ts';
import type { HttpRequest } from '../../http/message.ts';
import { isTrusted } from '../../identity/token-keys.ts';
import { findPresented, openToken, type Presented } from '../../identity/tokens.ts';
import { notify } from '../../mail/notify.ts';
import { isListed } from '../../oauth/access.ts';
import { readClientCredentials } from '../../oauth/client-auth.ts';
import { refuse } from '../../oauth/errors.ts';
import { first } from '../../oauth/params.ts';
import {
  judgeRefresh,
  judgeUnseenRefresh,
  type KnownRefreshRequest,
  type RefreshProof,
} from '../../oauth/refresh-grant.ts';
import { noteIgnored, repeatable } from '../../oauth/resource.ts';
import { nameByProof } from '../../oauth/self-given-name.ts';
import type { ProtocolSettings } from '../../oauth/settings.ts';
import { signInEnd } from '../../oauth/sign-in-rules.ts';
import { earlier, later, lifetimes } from '../../oauth/token-request.ts';
import { askedIn, type TokenTarget } from '../../oauth/token-target.ts';
import type { OpenedToken } from '../../oauth/tokens.ts';
import { auditNoAccess } from '../../store/access.ts';
import { eventBy } from '../../store/actor.ts';
import { auditOnce } from '../../store/audit.ts';
import {
  extendRefreshToken,
  type Judged,
  revokeAuthorization,
  rotateRefreshToken,
  type Stepped,
} from '../../store/authorizations.ts';
import { clientAt, findClient } from '../../store/clients.ts';
import { likelyRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy } from '../../store/trace-rings.ts';
import { log } from '../../telemetry/log.ts';
import { clientNamed, readClient } from '../client-authentication.ts';
import { issuerFor, issueTokens, type Step, type TokenAnswer } from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import type { TokenRequest } from './grant.ts';

/** The refresh token grant (RFC 6749 section 6). @throws OAuthRefusal */
export async function refreshToken(
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer> {
  const opened = await openToken(first(params, 'refresh_token') ?? '', 'refreshToken');
  http.about.attempt = opened?.id ?? null;
  const refreshed = opened && (await refreshUnseen(opened, { params, http }, now));
  if (refreshed) return refreshed;
  const { revision, presented: token } = await findPresented(opened);
  const settings = await settingsAt(revision);
  const { credentials, named } = await readClient(params, http, revision);
  const owner = token && (await clientAt(revision, token.clientId));
  http.about.clientId ??= owner?.id ?? null;
  if (owner && owner.id === http.about.clientId) http.about.behind = provedBy(owner);
  http.about.userId = token?.userId ?? null;
  const request = { params, credentials, named, owner, settings, known: await knownAt(revision) };
  return opened && token
    ? refresh(opened, token, request, revision, http, now)
    : refuseWithout(request, now);
}

function refuseWithout(request: KnownRefreshRequest, now: Date): never {
  const verdict = judgeRefresh(request, null, now);
  throw 'refusal' in verdict ? verdict.refusal : new Error('Nothing is refreshed without a token.');
}

/** The sender, the server state and the settings a refresh is judged against. */
type Use = RefreshProof & { settings: ProtocolSettings; revision: number };

/**
 * Fast path: refreshes a request that is valid by everything this process knows in one statement,
 * which checks the rest. Null for anything else; nothing has happened then.
 */
async function refreshUnseen(
  token: OpenedToken,
  { params, http }: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  const credentials = readClientCredentials(params, http.header('authorization'));
  if (credentials.id === undefined || params.has('scope') || params.has(repeatable)) return null;
  const revision = await likelyRevision();
  if (!(await isTrusted(token.keyId, revision))) return null;
  const named = await clientNamed(credentials, revision);
  const settings = await settingsAt(revision);
  const proof = judgeUnseenRefresh({ params, credentials, named, owner: named, settings });
  if (!proof) return null;
  Object.assign(http.about, { clientId: proof.client.id, behind: provedBy(proof.client) });
  const use = { ...proof, settings, revision };
  const issuer = await issuerOf(use, null, now);
  const stepped = await takeStep(token, use, { revision, asked: null, end: null }, now);
  return stepped && issueTokens(issuer, nextStep(token, stepped, use, null, null, now), now);
}

/** Public clients always rotate; others unless the operator has switched it off. */
const rotates = ({ client, settings }: Use) =>
  settings.alwaysIssueNewRefreshToken || client.type === 'public';

function issuerOf(use: Use, target: TokenTarget | null, at: Date) {
  const { accessToken } = lifetimes(use.client, use.settings);
  return issuerFor(use, use.revision, accessToken, at, target?.apis);
}

type Terms = {
  /** The step succeeds only at this revision; null: at any. */
  revision: number | null;
  /** The `scope` and `resource` parameters, which a repeat must match. */
  asked: string | null;
  /** When all ends that the sign-in gave this client, if it does. */
  end: Date | null;
};

/** Rotates the refresh token or extends it. */
function takeStep(
  { id, counter }: OpenedToken,
  use: Use,
  { revision, asked, end }: Terms,
  now: Date,
): Promise<Stepped | null> {
  const { client, settings } = use;
  const { id: clientId, epoch: clientEpoch } = client;
  const judged: Judged = { id, clientId, clientEpoch, revision, isListed: isListed(client) };
  const idleUntil = earlier(later(now, lifetimes(client, settings).refreshToken), end);
  return rotates(use)
    ? rotateRefreshToken(judged, { counter, scope: asked, idleUntil }, now)
    : extendRefreshToken(judged, { counter, idleUntil }, now);
}

function nextStep(
  { id, counter }: OpenedToken,
  stepped: Stepped,
  use: Use,
  authorization: Presented | null,
  target: TokenTarget | null,
  now: Date,
): Step {
  const rotation = rotates(use) ? counter + 1 : null;
  const { scope, narrowed } = target ?? { scope: stepped.scope, narrowed: false };
  const access = { scope, narrowed };
  return { ...stepped, ...access, id, what: 'refresh', at: now, rotation, authorization };
}

async function refresh(
  opened: OpenedToken,
  token: Presented,
  request: KnownRefreshRequest,
  revision: number,
  http: HttpRequest,
  now: Date,
): Promise<TokenAnswer> {
  const verdict = judgeRefresh(request, token, now);
  if (verdict.does === 'end') await endReused(token, http, now);
  if (verdict.does === 'burn') await burn(token, http, now);
  if ('refusal' in verdict) throw verdict.refusal;
  const { client, secretHash, target } = verdict;
  http.about.notes.push(...noteIgnored(target));
  const use = { client, secretHash, settings: request.settings, revision };
  if (verdict.does === 'repeat') return answerAgain(token, target, use, now);
  const issuer = await issuerOf(use, target, now);
  const asked = askedIn(request.params);
  const terms = { revision: null, asked, end: signInEnd(client, token) };
  const stepped = await takeStep(opened, use, terms, now);
  if (stepped) return issueTokens(issuer, nextStep(opened, stepped, use, token, target, now), now);
  // Either someone was faster and this is now a repeat, or what it depends on has ended.
  const { presented: again } = await findPresented(opened);
  if (!again || (again.rotation === token.rotation && again.allowed))
    refuse('invalid_grant', 'The refresh token is gone.', { rule: 'refresh-token.ended' });
  return refresh(opened, again, request, revision, http, now);
}

/** It ends by a rule of the client, or because its user may not use the client any more. */
async function burn({ id, allowed, userId, clientId }: Presented, http: HttpRequest, now: Date) {
  await revokeAuthorization(id, now);
  if (!allowed) await auditNoAccess(actorAt(http, null), { userId, clientId }, now);
}

/** Even if rotated long ago and expired: its successors are live, and someone has a copy. */
async function endReused(token: Presented, http: HttpRequest, now: Date): Promise<void> {
  const { id, userId, clientId } = token;
  const ended = await revokeAuthorization(id, now);
  const event = eventBy(actorAt(http, null), 'refresh-token.reused', { userId, clientId });
  await auditOnce(id, event, now);
  log().warn(
    { requestId: http.id, clientId },
    'a used refresh token was presented; its authorization is revoked',
  );
  const client = ended ? await findClient(clientId) : null;
  if (client) await notify(userId, 'token-reuse', { app: nameByProof(client) }, now);
}

/**
 * A just-rotated refresh token whose successor is unused comes again: a lost response, or two tabs.
 * It gets the same tokens, computed again from the same values.
 */
async function answerAgain(
  token: Presented,
  target: TokenTarget,
  use: Use,
  now: Date,
): Promise<TokenAnswer> {
  const { id, rotation, rotatedAt, idleUntil } = token;
  const { scope, narrowed } = target;
  if (!rotatedAt || !idleUntil) throw new Error('A rotation has a moment.');
  const step: Step = {
    ...{ id, rotation, idleUntil, scope, what: 'repeat', at: rotatedAt, authorization: token },
    ...{ grantId: token.grantId, keepUntil: token.keepUntil, narrowed },
  };
  return issueTokens(await issuerOf(use, target, rotatedAt), step, now);
}
