import type { PageRequest } from '../http/message.ts';
import { readSession } from '../identity/session.ts';
import { readIdTokenHint } from '../identity/signing.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  checkClient,
  readClientId,
} from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal, onBehalfOf, PageRefusal, refuse } from '../oauth/errors.ts';
import type { Person } from '../oauth/next-step.ts';
import { first, type Params } from '../oauth/params.ts';
import { checkRedirectUri, type RedirectTarget } from '../oauth/redirect-uri.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import { clientAt } from '../store/clients.ts';
import { hasFactor, readFactors } from '../store/factors.ts';
import { scopesAt } from '../store/scopes.ts';
import type { Session } from '../store/sessions.ts';
import { settingsAt } from '../store/settings.ts';

/** Who is at the browser, and the state of the server the request is judged by. */
export type Visit = {
  revision: number;
  session: Session | null;
  settings: ProtocolSettings;
  acceptLanguage: string | undefined;
};

export async function readVisit(request: PageRequest, now: Date): Promise<Visit> {
  const { revision, session } = await readSession(request, now);
  return {
    revision,
    session,
    settings: await settingsAt(revision),
    acceptLanguage: request.header('accept-language'),
  };
}

/** An authorization request with the client it names and the address its answer goes to. */
export type CheckedRequest = {
  client: Client;
  target: RedirectTarget;
  request: AuthorizationRequest;
};

/** A client and an address that errors may be sent to, and what is wrong with the rest. */
export type RefusedRequest = { client: Client; target: RedirectTarget; refusal: OAuthRefusal };

/**
 * Puts an authorization request through all checks, in their order.
 * @throws PageRefusal until client and redirect URI are trusted; from there a refusal is returned
 */
export async function checkRequest(
  params: Params,
  visit: Visit,
  now: Date,
): Promise<CheckedRequest | RefusedRequest> {
  const known = await clientAt(visit.revision, readClientId(params));
  const { client, target } = await onBehalfOf(known?.id ?? null, async () => {
    const client = checkClient(known);
    const check = () => checkRedirectUri(params, client, visit.settings);
    return { client, target: naming(client, params, check) };
  });
  try {
    const request = checkAuthorizationRequest(
      params,
      client,
      await scopesAt(visit.revision),
      visit.settings,
    );
    return { client, target, request: await withHint(request, visit.revision, now) };
  } catch (error) {
    if (error instanceof OAuthRefusal) return { client, target, refusal: error };
    throw error;
  }
}

/** Does a check whose refusal says which client it was, and what address came. @throws PageRefusal */
function naming<T>({ id, name }: Client, params: Params, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof PageRefusal)
      error.asked = { client: { id, name }, redirectUri: first(params, 'redirect_uri') };
    throw error;
  }
}

/** With an `id_token_hint` the request is about the person that token names. @throws OAuthRefusal */
async function withHint(
  request: AuthorizationRequest,
  revision: number,
  now: Date,
): Promise<AuthorizationRequest> {
  if (request.idTokenHint === undefined) return request;
  const hint = await readIdTokenHint(request.idTokenHint, revision, now);
  if (!hint || hint.aud !== request.clientId)
    refuse('invalid_request', 'id_token_hint is no ID token of this server for this client.');
  return { ...request, subject: hint.sub };
}

/** The person of a session, as far as this request is about them; factors are looked up when it asks for one. */
export async function personOf(session: Session, request: AuthorizationRequest): Promise<Person> {
  const { amr, authTime, user } = session;
  const matters = request.acr !== undefined && !isMultiFactor(amr);
  return {
    userId: user.id,
    authTime,
    amr,
    hasFactor: matters && hasFactor(await readFactors(user.id)),
  };
}
