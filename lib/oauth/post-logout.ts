import { isRegistered, normalIn } from './app-address.ts';
import type { Client } from './client.ts';
import { refusePage } from './errors.ts';
import type { Facts } from './facts.ts';
import { first, isRepeated, type Params } from './params.ts';
import { type CheckedUri, redirectUriFault } from './redirect-uri.ts';
import { nameByProof } from './self-given-name.ts';

/** The parameters of a sign-out request (OpenID Connect RP-Initiated Logout section 2). */
export const logoutParams = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'logout_hint',
  'ui_locales',
] as const;

/** The client that a sign-out request concerns, and the result of checking its hint. */
type LogoutParties = {
  client: Client | null;
  /** The client that the hint's ID token was issued to. */
  hintFor: string | undefined;
  hintFailed: boolean;
  isSignedIn: boolean;
};

/**
 * Where an app asks to send the browser after the sign-out. Only an address that the client
 * registered for this is accepted, compared exactly (OpenID Connect RP-Initiated Logout section 3).
 * null: it asks for none, or does not say which app it is, so that nobody is sent away.
 * @throws PageRefusal also for a request that contradicts itself
 */
export function checkPostLogout(params: Params, parties: LogoutParties): CheckedUri | null {
  const { client, hintFor, hintFailed } = parties;
  const repeated = logoutParams.find((name) => isRepeated(params, name));
  if (repeated)
    refuse(params, parties, `${repeated} was sent more than once.`, {
      rule: 'parameter.repeated',
      received: repeated,
    });
  const clientId = first(params, 'client_id');
  if (hintFor !== undefined && clientId !== undefined && clientId !== hintFor)
    refuse(params, parties, 'client_id is not the audience of id_token_hint.', {
      rule: 'id-token-hint.other-client',
      received: clientId,
      expected: [hintFor],
    });
  const uri = first(params, 'post_logout_redirect_uri');
  if (uri === undefined) return null;
  if (client && isRegistered(uri, client.postLogoutRedirectUris, client.type))
    return uri as CheckedUri;
  if (namesNobody(params)) return null;
  return refuse(params, parties, ...faultOf(uri, client, clientId, hintFailed));
}

/** An address and no client: what programs send that keep no ID token. */
export const namesNobody = (params: Params): boolean =>
  first(params, 'post_logout_redirect_uri') !== undefined &&
  first(params, 'client_id') === undefined &&
  first(params, 'id_token_hint') === undefined;

const unregistered =
  'post_logout_redirect_uri is not registered for a client named in this request.';

function faultOf(
  uri: string,
  client: Client | null,
  clientId: string | undefined,
  hintFailed: boolean,
): [reason: string, facts: Facts] {
  if (hintFailed)
    return [
      'id_token_hint was not issued by this server.',
      { rule: 'id-token-hint.foreign', expected: ['an ID token of this server'] },
    ];
  if (client) {
    const fault = redirectUriFault(uri);
    const normal = fault && normalIn(fault);
    const { postLogoutRedirectUris: uris } = client;
    const registered = uris.length > 0 ? uris : ['a registered address; this app has none'];
    const expected = normal ? [normal] : registered;
    if (fault)
      return [
        `post_logout_redirect_uri: ${fault.english}`,
        { rule: 'redirect-uri.forbidden', received: uri, expected },
      ];
    return [unregistered, { rule: 'post-logout.unregistered', received: uri, expected }];
  }
  return [unregistered, { rule: 'client.unknown', received: clientId }];
}

function refuse(
  params: Params,
  { client, isSignedIn }: LogoutParties,
  reason: string,
  facts: Facts,
): never {
  const redirectUri = first(params, 'post_logout_redirect_uri');
  const asked = client && { client: { id: client.id, name: nameByProof(client) }, redirectUri };
  const problem = isSignedIn ? 'logout_refused' : 'logout_refused_signed_out';
  refusePage(problem, reason, 'invalid_request', { asked: asked ?? undefined, facts });
}
