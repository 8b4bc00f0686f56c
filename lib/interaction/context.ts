import type { About, PageRequest } from '../http/message.ts';
import { readSession } from '../identity/session.ts';
import { readIdTokenHint } from '../identity/signing.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  checkRecipient,
  readClientId,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { refuse } from '../oauth/errors.ts';
import type { EndUser } from '../oauth/next-step.ts';
import type { Params } from '../oauth/params.ts';
import type { RedirectTarget } from '../oauth/redirect-uri.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import { clientAt } from '../store/clients.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { scopesAt } from '../store/scopes.ts';
import type { Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';
import { replyTo } from './respond.ts';

/** The session of the browser, and the server state the request is judged against. */
export type RequestContext = {
  revision: number;
  session: Session | null;
  settings: ProtocolSettings;
  acceptLanguage: string | undefined;
};

export async function readContext(request: PageRequest, now: Date): Promise<RequestContext> {
  const { revision, session } = await readSession(request, now);
  return {
    revision,
    session,
    settings: await settingsAt(revision),
    acceptLanguage: request.header('accept-language'),
  };
}

/** A valid authorization request, with its client and the URI its response goes to. */
export type CheckedRequest = {
  client: Client;
  target: RedirectTarget;
  request: AuthorizationRequest;
};

/**
 * Puts an authorization request through all checks, in their order (lib/oauth/authorization-request.ts).
 * Once client and address are trusted, `about` says how a refusal goes back to the client; an
 * unregistered address is trusted by nobody but the person who has answered the consent page.
 * @throws PageRefusal until client and redirect URI are trusted; OAuthRefusal from there
 */
export async function checkRequest(
  params: Params,
  visit: RequestContext,
  about: About,
  now: Date,
): Promise<CheckedRequest> {
  const { revision, settings } = visit;
  const known = await clientAt(revision, readClientId(params));
  about.clientId = known?.id ?? null;
  const { client, target } = checkRecipient(params, known, settings);
  if (target.registered) about.reply = replyTo({ client, target }, params, visit);
  const scopes = await scopesAt(revision);
  const request = checkAuthorizationRequest(params, client, scopes, settings);
  return { client, target, request: await withHint(request, revision, now) };
}

/** With an `id_token_hint` only the user it names may answer the request. @throws OAuthRefusal */
async function withHint(
  request: AuthorizationRequest,
  revision: number,
  now: Date,
): Promise<AuthorizationRequest> {
  if (request.idTokenHint === undefined) return request;
  const hint = await readIdTokenHint(request.idTokenHint, revision, now);
  if (!hint || hint.aud !== request.clientId)
    refuse('invalid_request', 'id_token_hint was not issued by this server to this client.');
  return { ...request, subject: hint.sub };
}

/**
 * The user of a session as the rules need it. Factors are looked up only if the request asks for
 * one.
 */
export async function endUserOf(session: Session, request: AuthorizationRequest): Promise<EndUser> {
  const { amr, authTime, user } = session;
  const matters = request.acr !== undefined && !isMultiFactor(amr);
  return {
    userId: user.id,
    authTime,
    amr,
    hasFactor: matters && hasFactor(await readFactors(user.id)),
  };
}
