import type { About, VisitorRequest } from '../http/message.ts';
import type { Sender } from '../http/network.ts';
import { registrationMode } from '../identity/registration.ts';
import { readSession } from '../identity/session.ts';
import { readIdTokenHint } from '../identity/signing.ts';
import type { Api } from '../oauth/api.ts';
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  checkRecipient,
  noteIgnoredPrompts,
  readClientId,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { refuse } from '../oauth/errors.ts';
import { noteIgnoredParams, noteIgnoredScopes, paramsOf } from '../oauth/ignored.ts';
import { atIssuer, elsewhere } from '../oauth/old-issuer.ts';
import { first, type Params } from '../oauth/params.ts';
import type { RedirectTarget } from '../oauth/redirect-uri.ts';
import { askedResources, noteIgnored } from '../oauth/resource.ts';
import { foldScope } from '../oauth/scope.ts';
import { clientFor } from '../registration/find.ts';
import { isVerified } from '../registration/verified.ts';
import type { Settings } from '../settings/table.ts';
import { apisAt } from '../store/apis.ts';
import { scopesAt } from '../store/scopes.ts';
import type { Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { currentGrant } from '../store/withdrawals.ts';
import { replyTo } from './respond.ts';

/** The session of the browser, and the server state that its request is judged against. */
export type RequestContext = Sender & {
  revision: number;
  session: Session | null;
  settings: Settings;
  acceptLanguage: string | undefined;
  requestId: string | null;
  /** The path of the old issuer that the request was sent to. */
  oldIssuer: string | undefined;
};

export async function readContext(request: VisitorRequest, now: Date): Promise<RequestContext> {
  return contextOf(request, await readSession(request, now));
}

/** The same for a request that counts for no session, or for this one. */
export async function contextOf(
  request: VisitorRequest,
  { revision, session }: Pick<RequestContext, 'revision' | 'session'>,
): Promise<RequestContext> {
  return {
    revision,
    session,
    settings: await settingsAt(revision),
    acceptLanguage: request.header('accept-language'),
    address: request.address,
    isShared: request.isShared,
    requestId: request.id ?? null,
    oldIssuer: request.oldIssuer,
  };
}

/** Notes that the signed-in user stands behind the request. */
export function visitedBy({ session }: Pick<RequestContext, 'session'>, about: About): void {
  if (!session) return;
  about.userId = session.user.id;
  about.behind = 'person';
}

/** A valid authorization request, with its client and the URI that its response goes to. */
export type CheckedRequest = {
  client: Client;
  target: RedirectTarget;
  request: AuthorizationRequest;
};

/**
 * The parameters; the session of an admin who tries the app and receives the response in its place;
 * and whether the client pushed the request.
 */
type Sent = { params: Params; triedBy?: string | null; pushed?: boolean };

/**
 * Puts an authorization request through all checks, in their order
 * (lib/oauth/authorization-request.ts). Once client and address are trusted, `about` says how a
 * refusal goes back to the client. An unregistered address, or an address of an unverified client,
 * is trusted only once the user has answered the consent page.
 * @throws PageRefusal until client and redirect URI are trusted; OAuthRefusal from there
 */
export async function checkRequest(
  { params: sent, triedBy = null, pushed = false }: Sent,
  visit: RequestContext,
  about: About,
  now: Date,
): Promise<CheckedRequest> {
  const { revision, settings } = visit;
  const { params, notes } = foldScope(sent, settings);
  about.notes.push(...notes);
  about.isTrial = triedBy !== null;
  const named = await clientFor(readClientId(params), visit, now);
  const known = atIssuer(named, visit.oldIssuer);
  if (named && !known) about.notes.push(elsewhere(visit.oldIssuer));
  about.clientId = named && !named.unstored ? named.id : null;
  const { client, target: asked } = checkRecipient(params, known, settings);
  const target = triedBy === null ? asked : { ...asked, triedBy };
  if (await mayReply({ client, target }, visit, now))
    about.reply = replyTo({ client, target }, params, visit);
  const scopes = await scopesAt(revision);
  const apis = await apisAskedBy(params, client, revision);
  const request = checkAuthorizationRequest(params, client, {
    scopes,
    apis,
    settings,
    pushed: pushed || triedBy !== null,
  });
  about.notes.push(
    ...noteIgnored(request.resources),
    ...noteIgnoredScopes(first(params, 'scope'), request.scope),
    ...noteIgnoredParams(params, paramsOf.authorize),
    ...noteIgnoredPrompts(first(params, 'prompt'), (await registrationMode()) === 'open'),
  );
  return { client, target, request: await withHint(request, revision, now) };
}

/**
 * Whether a response may go to the client before the user of this browser has seen a page about it.
 * Anyone can make up a client, consent to it themselves, and send others through it to its address.
 */
export async function mayReply(
  { client, target }: Pick<CheckedRequest, 'client' | 'target'>,
  { session, settings }: Pick<RequestContext, 'session' | 'settings'>,
  now: Date,
): Promise<boolean> {
  if (!target.registered) return false;
  if (target.triedBy !== undefined || (await isVerified(client, settings))) return true;
  return session !== null && (await currentGrant(session.user.id, client.id, now)) !== null;
}

/** Reads nothing for a request that names no resource. */
async function apisAskedBy(params: Params, client: Client, revision: number): Promise<Api[]> {
  return askedResources(params, client).length > 0 ? apisAt(revision) : [];
}

/**
 * Applies the `id_token_hint`: only the user it names may answer the request. `claims` may not name
 * a different one.
 * @throws OAuthRefusal
 */
async function withHint(
  request: AuthorizationRequest,
  revision: number,
  now: Date,
): Promise<AuthorizationRequest> {
  if (request.idTokenHint === undefined) return request;
  const hint = await readIdTokenHint(request.idTokenHint, revision, now);
  if (!hint || hint.aud !== request.clientId)
    refuse('invalid_request', 'id_token_hint was not issued by this server to this client.');
  if (request.subject !== undefined && request.subject !== hint.sub)
    refuse('invalid_request', 'id_token_hint and the sub in claims name different users.', {
      rule: 'parameter.invalid',
      received: 'another sub in claims than in id_token_hint',
      expected: ['the same sub in both, or one of them'],
    });
  return { ...request, subject: hint.sub };
}
