import { linksAsMetadata } from './app-links.ts';
import type { ClientSettings } from './client.ts';
import type { ClientAuthMethod } from './client-auth-methods.ts';
import { authMethodOf, type ClientMetadata } from './client-metadata.ts';

/** The authentication method of clients whose registration names none (RFC 7591 section 2). */
export const usualAuthMethod: ClientAuthMethod = 'client_secret_basic';

/**
 * The metadata registered for a client. It shows how the client will be treated, and is the
 * response to its registration (RFC 7591 section 3.2.1).
 */
export function registeredMetadata(
  client: ClientSettings,
  metadata: ClientMetadata,
): ClientMetadata {
  const { postLogoutRedirectUris: byes, backchannelLogoutUri } = client;
  const { initiateLoginUri, jwks, jwksUri } = client;
  const needsSession = metadata.backchannel_logout_session_required === true;
  return {
    client_name: client.name,
    redirect_uris: client.redirectUris,
    ...(byes.length > 0 && { post_logout_redirect_uris: byes }),
    ...(backchannelLogoutUri && {
      backchannel_logout_uri: backchannelLogoutUri,
      // Every logout token has a sid.
      ...(needsSession && { backchannel_logout_session_required: true }),
    }),
    ...(initiateLoginUri && { initiate_login_uri: initiateLoginUri }),
    token_endpoint_auth_method: authMethodOf(metadata, usualAuthMethod),
    ...(jwks && { jwks: JSON.parse(jwks) }),
    ...(jwksUri && { jwks_uri: jwksUri }),
    grant_types: client.grants,
    response_types: ['code'],
    ...linksAsMetadata(client),
    ...(metadata.application_type !== undefined && { application_type: metadata.application_type }),
    ...(client.subjectType === 'pairwise' && { subject_type: 'pairwise' }),
    id_token_signed_response_alg: client.idTokenAlg,
    ...(client.requirePushedAuthorizationRequests === true && {
      require_pushed_authorization_requests: true,
    }),
    ...(client.dpopBoundAccessTokens && { dpop_bound_access_tokens: true }),
  };
}
