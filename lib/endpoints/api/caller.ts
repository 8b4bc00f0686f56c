import { config } from '../../config.ts';
import { actorAt } from '../../http/actor.ts';
import { placeIn } from '../../http/cidr.ts';
import { limitRequests, pauseAfterCalls } from '../../http/failed-requests.ts';
import type { HttpRequest } from '../../http/message.ts';
import { ownAddress } from '../../http/network.ts';
import { refuseAs } from '../../http/problem.ts';
import { findAccessToken } from '../../identity/tokens.ts';
import { actingAs, type By } from '../../management/act.ts';
import { type ApiNoun, apiPath, holdsRight, type Level } from '../../management/api-key/rights.ts';
import { challenge, readBearerToken } from '../../oauth/bearer.ts';
import type { Rule } from '../../oauth/facts.ts';
import { digest, prefixes } from '../../oauth/secrets.ts';
import { tooMany } from '../../oauth/too-many.ts';
import { holdsRole } from '../../people/roles.ts';
import type { LiveAccessToken } from '../../store/access-tokens.ts';
import { callerOf, findLiveApiKey } from '../../store/api-keys.ts';
import { apisAt } from '../../store/apis.ts';
import { touchLastUse } from '../../store/usage.ts';
import { findUser } from '../../store/users.ts';

/** Who calls the API, with what they may do. */
export type Caller = Pick<By, 'actor' | 'role'> & {
  /** What limits and kept answers go by. */
  id: string;
  rights: readonly string[];
};

/** Calls in 15 minutes: of one key or app, and of one network those that fail to say who calls. */
const perCaller = 6000;
const perAddress = 100;

/** Who calls, by their key or access token. Cookies are never looked at. @throws Problem, OAuthRefusal */
export async function readCaller(request: HttpRequest, now: Date): Promise<Caller> {
  const token = readBearerToken(request.header('authorization'), new Map(), new Map(), false);
  const caller = token.startsWith(prefixes.apiKey)
    ? await callerByKey(token, request, now)
    : await callerByToken(token, request, now);
  const until = await pauseAfterCalls(caller.id, perCaller, now);
  if (until !== null) throw tooMany('Too many calls.', until - now.getTime());
  return caller;
}

async function callerByKey(secret: string, request: HttpRequest, now: Date): Promise<Caller> {
  const key = await findLiveApiKey(digest(secret), now);
  if (!key) return refuseToken('The API key is unknown, deleted or expired.', request, now);
  if (!holdsRole(key))
    return refuseToken('Whoever made the API key has no role here any more.', request, now);
  if (placeIn(key.networks, ownAddress(request)) !== 'inside')
    refuseAs(403, 'The API key does not work from this network.');
  touchLastUse('api_keys', key.id, now);
  const acting = actingAs(key.role, actorAt(request, `key:${key.name}`));
  return { ...acting, id: callerOf(key), rights: key.rights };
}

/** A token for this API and no other: whoever else was sent it could use it here. */
async function callerByToken(text: string, request: HttpRequest, now: Date): Promise<Caller> {
  const { token, revision } = await findAccessToken(text, now);
  if (!token) return refuseToken('The access token is unknown, expired or revoked.', request, now);
  request.about.clientId = token.clientId;
  const identifier = config().issuer + apiPath;
  const api = (await apisAt(revision)).find((each) => each.identifier === identifier);
  if (token.audience.length !== 1 || token.audience[0] !== identifier || api?.access !== 'listed')
    return refuseToken(
      'The access token is not for this API alone.',
      request,
      now,
      'access-token.other-audience',
    );
  const rights = token.scope
    .split(' ')
    .filter((word) => api.scopes.some(({ name }) => name === word));
  return { ...(await actingBy(token, request, now)), rights };
}

async function actingBy({ clientId, user }: LiveAccessToken, request: HttpRequest, now: Date) {
  touchLastUse('clients', clientId, now);
  if (!user) {
    const id = `client:${clientId}`;
    return { ...actingAs('admin', actorAt(request, id)), id };
  }
  const role = (await findUser(user.id))?.role ?? 'none';
  if (!holdsRole({ role })) refuseAs(403, 'This person has no role here.');
  return { ...actingAs(role, actorAt(request, user.id)), id: `user:${user.id} ${clientId}` };
}

async function refuseToken(
  reason: string,
  request: HttpRequest,
  now: Date,
  rule: Rule = 'access-token.ended',
): Promise<never> {
  await limitRequests('api', perAddress, request, { rule }, now);
  refuseAs(401, reason, { headers: challenge('invalid_token', reason) }, { rule });
}

/** @throws Problem unless the caller has a right */
export function checkRight({ rights }: Caller, noun: ApiNoun, level: Level): void {
  if (holdsRight(rights, noun, level)) return;
  const needed = `${noun}:${level}`;
  const reason = `This needs the right ${needed}.`;
  const headers = challenge('insufficient_scope', reason);
  refuseAs(403, reason, { headers });
}
