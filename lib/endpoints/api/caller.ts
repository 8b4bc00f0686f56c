import { config } from '../../config.ts';
import { actorAt } from '../../http/actor.ts';
import { placeIn } from '../../http/cidr.ts';
import type { HttpRequest } from '../../http/message.ts';
import { ownAddress } from '../../http/network.ts';
import { refuseAs } from '../../http/problem.ts';
import { limitRequests, takeCall } from '../../http/request-limits.ts';
import { findAccessToken } from '../../identity/tokens.ts';
import { actingAs, type By } from '../../management/act.ts';
import { ownApiFor, ownIdentifier } from '../../management/api/own-api.ts';
import { type ApiNoun, holdsRight, type Level } from '../../management/api-key/rights.ts';
import { operationNamed } from '../../management/batch/operations.ts';
import { challenge, readSentToken, type SentToken } from '../../oauth/bearer.ts';
import type { Rule } from '../../oauth/facts.ts';
import { digest, prefixes } from '../../oauth/secrets.ts';
import { tooMany } from '../../oauth/too-many.ts';
import { holdsRole } from '../../people/roles.ts';
import { isSignInEnough } from '../../people/second-factor.ts';
import type { LiveAccessToken } from '../../store/access-tokens.ts';
import { callerOf, findLiveApiKey } from '../../store/api-keys.ts';
import { apisAt } from '../../store/apis.ts';
import { findSignInOf } from '../../store/authorizations.ts';
import { readSettings } from '../../store/settings.ts';
import { touchLastUse } from '../../store/usage.ts';
import { findUser } from '../../store/users.ts';
import { nonceFor } from '../dpop.ts';
import { checkHolder } from '../holder.ts';
import type { Call } from './find.ts';
import { rateLimit, telling } from './limits.ts';
import type { Said } from './said.ts';

export type Caller = Pick<By, 'actor' | 'role'> & {
  /** The key for rate limits and for kept answers. */
  id: string;
  rights: readonly string[];
  /** The DPoP-Nonce header for the caller's next proof, if there is one. */
  nonce: ReturnType<typeof nonceFor>;
  /** The headers that tell how many calls they have left. */
  limits: ReturnType<typeof rateLimit>;
};

/**
 * Calls in 15 minutes: `perCaller` for one key or app, `perAddress` for failed authentication from
 * one network.
 */
const perCaller = 6000;
const perAddress = 100;

/**
 * Identifies the caller by their API key or access token. Cookies are never looked at. @throws
 * Problem, OAuthRefusal
 */
export async function readCaller(
  { path }: Pick<Call, 'path'>,
  request: HttpRequest,
  now: Date,
): Promise<Caller> {
  const said = request.header('authorization') ?? '';
  if (!/^(Bearer|DPoP) +\S/i.test(said)) return refuseWithout(request, now);
  const sent = readSentToken(said, new Map(), new Map(), false);
  const isKey = sent.scheme === 'Bearer' && sent.text.startsWith(prefixes.apiKey);
  const caller = isKey
    ? await callerByKey(sent.text, request, now)
    : await callerByToken(sent, { request, path }, now);
  const calls = await takeCall(caller.id, perCaller, now);
  const limits = rateLimit(calls);
  if (calls.isOver) throw telling(tooMany('Too many calls.', calls.seconds * 1000), limits);
  return { ...caller, limits };
}

type Known = Omit<Caller, 'limits'>;

async function callerByKey(secret: string, request: HttpRequest, now: Date): Promise<Known> {
  const key = await findLiveApiKey(digest(secret), now);
  if (!key) return refuseToken('The API key is unknown, deleted or expired.', request, now);
  if (!holdsRole(key))
    return refuseToken('The user who made the API key no longer has a role here.', request, now);
  if (placeIn(key.networks, ownAddress(request)) !== 'inside')
    return refuseCounted(403, 'The API key does not work from this network.', request, now);
  touchLastUse('api_keys', key.id, now);
  const acting = actingAs(key.role, actorAt(request, `key:${key.name}`));
  return { ...acting, id: callerOf(key), rights: key.rights, nonce: {} };
}

/**
 * Identifies the caller by an access token. It must be for this API alone: otherwise any other API
 * that received it could use it here.
 */
async function callerByToken(
  sent: SentToken,
  { request, path }: { request: HttpRequest; path: Call['path'] },
  now: Date,
): Promise<Known> {
  const { token, revision } = await findAccessToken(sent.text, now);
  if (!token) return refuseToken('The access token is unknown, expired or revoked.', request, now);
  request.about.clientId = token.clientId;
  const api = ownApiFor(token.client, await apisAt(revision));
  const isForThis = token.audience.length === 1 && token.audience[0] === ownIdentifier();
  if (!isForThis || !api)
    return refuseToken(
      'The access token is not for this API alone.',
      request,
      now,
      'access-token.other-audience',
    );
  const rights = token.scope
    .split(' ')
    .filter((word) => api.scopes.some(({ name }) => name === word));
  const addresses = [config().issuer + path];
  const dpop = await checkHolder(sent, token, { request, addresses }, now);
  return { ...(await actingBy(token, request, now)), rights, nonce: nonceFor(dpop) };
}

async function actingBy(token: LiveAccessToken, request: HttpRequest, now: Date) {
  const { clientId, user, authorizationId } = token;
  touchLastUse('clients', clientId, now);
  if (!user) {
    const id = `client:${clientId}`;
    return { ...actingAs('admin', actorAt(request, id)), id };
  }
  const person = await findUser(user.id);
  const role = person?.role ?? 'none';
  if (!person || !holdsRole({ role })) refuseAs(403, 'This person has no role here.');
  // Checked as for a session, because the token may be older than the rule.
  const { requireSecondFactor } = await readSettings();
  const amr = (await findSignInOf(authorizationId ?? '')) ?? '';
  if (!isSignInEnough(requireSecondFactor, person, amr))
    return refuseToken('This role has to sign in with a second step.', request, now);
  return { ...actingAs(role, actorAt(request, user.id)), id: `user:${user.id} ${clientId}` };
}

/** Refuses a call and counts it for its network. @throws Problem, or OAuthRefusal after too many */
async function refuseCounted(
  status: 401 | 403,
  reason: string,
  request: HttpRequest,
  now: Date,
): Promise<never> {
  await limitRequests(
    { what: 'api', limit: perAddress },
    request,
    { rule: 'access-token.ended' },
    now,
  );
  refuseAs(status, reason);
}

/** Refuses a call in which nobody says who calls: no error code in the challenge (RFC 6750 3.1). */
async function refuseWithout(request: HttpRequest, now: Date): Promise<never> {
  const rule = 'access-token.missing';
  await limitRequests({ what: 'api', limit: perAddress }, request, { rule }, now);
  const reason = 'No API key was sent. Send one in the header: "Authorization: Bearer KEY".';
  refuseAs(401, reason, { headers: challenge() }, { rule });
}

async function refuseToken(
  reason: string,
  request: HttpRequest,
  now: Date,
  rule: Rule = 'access-token.ended',
): Promise<never> {
  await limitRequests({ what: 'api', limit: perAddress }, request, { rule }, now);
  refuseAs(401, reason, { headers: challenge('invalid_token', reason) }, { rule });
}

/** Checks that the caller has a right. @throws Problem */
export function checkRight({ rights }: Pick<Caller, 'rights'>, noun: ApiNoun, level: Level): void {
  if (holdsRight(rights, noun, level)) return;
  const reason = `This needs the right ${noun}:${level}.`;
  refuseAs(403, reason, { headers: challenge('insufficient_scope', reason) });
}

const intoGroups = ({ groups }: Said) => (groups === undefined ? null : 'group');

/**
 * The other noun that an act loosens: fixing an attempt changes its client, adding people to groups
 * changes the groups, and a batch changes whatever its operation does.
 */
const beside: Partial<Record<ApiNoun, (said: Said) => ApiNoun | null>> = {
  attempt: () => 'client',
  batch: ({ operation }) => operationNamed(String(operation))?.noun ?? null,
  invitation: intoGroups,
  provider: intoGroups,
  user: intoGroups,
};

/** What tells who has an account, though it belongs to another noun. */
export const tellsPeople: ReadonlySet<string> = new Set([
  'POST /invitations',
  'POST /invitations/{id}/resend',
  'POST /invitation-lists',
  'GET /invitation-lists/{id}',
]);

/** Checks that the caller may read people, if what they call tells of them. @throws Problem */
export function checkTold(caller: Caller, method: string, template: string, said: Said): void {
  const isMany = template === '/batches' && said.operation === 'resend-invitation';
  if (isMany || tellsPeople.has(`${method} ${template}`)) checkRight(caller, 'user', 'read');
}

/** Checks that the caller may also loosen the other noun that a call loosens. @throws Problem */
export function checkBeside(caller: Caller, noun: ApiNoun, level: Level, said: Said): void {
  const other = level === 'loosen' ? beside[noun]?.(said) : null;
  if (other) checkRight(caller, other, level);
}
