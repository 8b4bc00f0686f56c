import { clientAuthMethodNames } from '../oauth/client-auth-methods.ts';
import { dpopAlgs } from '../oauth/dpop.ts';
import { nonceMinutes } from '../oauth/dpop-nonce.ts';
import type { ErrorCode } from '../oauth/errors.ts';
import { grantTypeNames } from '../oauth/grant-types.ts';

/**
 * What to check, most likely cause first, and the clause that defines the error. `also` has what
 * other servers and libraries call it, for the search.
 */
type ErrorDoc = { checks: readonly string[]; clause: string; also?: string };

const withoutPrompt = 'Send the request again without prompt=none, so that the user is asked.';
const onCoreErrors = 'OpenID Connect Core section 3.1.2.6';

/** Help on an error for developers. */
export const errorDocs: Record<ErrorCode, ErrorDoc> = {
  invalid_request: {
    also: 'AADSTS900144, AADSTS90014, missing parameter, missing required parameter, malformed request, bad request, 400 bad request, duplicate parameter, AADSTS9002313',
    checks: [
      'Read error_description: it names the parameter.',
      'If it asks for code_challenge, turn on PKCE (S256) in the library, or have an admin turn off “Require PKCE” for this client (client update ID --require-pkce off).',
      'Send each parameter once, in the body, as application/x-www-form-urlencoded.',
      'If the address accepts nothing, take the endpoints from this server’s metadata: /.well-known/openid-configuration.',
    ],
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  invalid_client: {
    also: 'incorrect_client_credentials, AADSTS7000215, AADSTS700016, AADSTS7000222, AADSTS7000218, invalid client secret provided, client authentication failed, invalid client credentials, client not found, unknown client, application not found, client secret expired, wrong client secret, deleted_client, disabled_client, 401 at the token endpoint',
    checks: [
      'Compare client_id with the one on the app’s page, character by character.',
      'Copy client_secret again, without spaces or quotes. If it’s lost, an admin adds another one.',
      'Send the secret either in the Authorization header (Basic) or in the body, not both. In the header, both parts are form-encoded before they are joined.',
      'A public client has no secret: it sends only client_id.',
      'A client with keys sends client_assertion alone, a JWT that it signs: iss and sub are its client_id, aud is the issuer of this server and nothing else, exp is at most an hour away, and jti is another one each time. The attempt on the app’s page says which of these was wrong.',
    ],
    clause: 'RFC 6749 section 5.2',
  },
  invalid_grant: {
    also: 'bad_verification_code, AADSTS54005, AADSTS70008, AADSTS70000, AADSTS50173, AADSTS501481, code not valid, code already redeemed, authorization code expired, invalid authorization code, code was already used, invalid refresh token, unknown or invalid refresh token, refresh token expired, token is not active, session not active, PKCE verification failed, code_verifier mismatch, incorrect code_verifier, malformed auth code, bad refresh token',
    checks: [
      'A code works once: look for a retry, or a callback page that is reloaded.',
      'A code lasts 30 seconds: redeem it as soon as it comes.',
      'redirect_uri and state are those of the same authorization request, character by character.',
      'code_verifier is the one whose code_challenge was sent: keep one for each state.',
      'client_id is the one that started the sign-in, or that the refresh token was issued to.',
      'A refresh token works once: store the new one from each response before it is used.',
      'A device code is good for ten minutes, for the client that asked for it, and once.',
      'An assertion (ID-JAG) is good once and for an hour at most: typ is oauth-id-jag+jwt, aud is the issuer of this server alone, client_id is the app that sends it, and its issuer is a provider whose assertions an admin allows here. An ID token is none.',
      'Codes and refresh tokens end when the user may no longer use the app. Then send the user to sign in again.',
    ],
    clause: 'RFC 6749 section 5.2',
  },
  insufficient_user_authentication: {
    also: 'step-up required, mfa required, mfa_required, AADSTS50076, AADSTS50079',
    checks: [
      'The user’s sign-in is too old or too weak for this app: error_description says which.',
      'Send the user to sign in again at the server that told who they are, with the acr_values or max_age of this response, and ask again.',
      'An assertion of another server needs amr with mfa, from a provider that an admin has trusted with it, and auth_time where an app limits the age of a sign-in.',
    ],
    clause: 'RFC 9470 section 3 and draft-ietf-oauth-identity-assertion-authz-grant section 8.2',
  },
  unauthorized_client: {
    also: 'grant type not allowed, client is not allowed to use this grant type, standard flow is disabled, client not enabled to retrieve service account, unauthorized grant type',
    checks: [
      'Ask an admin to allow this grant type: “Grant types” on the app’s page.',
      'If the app doesn’t need it, turn it off in the library.',
    ],
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  unsupported_grant_type: {
    also: 'grant type is not supported, AADSTS70003',
    checks: [`Use one of ${grantTypeNames.join(', ')}.`],
    clause: 'RFC 6749 section 5.2',
  },
  invalid_scope: {
    also: 'AADSTS70011, AADSTS650053, invalid scopes, unknown scope, scope not allowed, one or more scopes are not configured',
    checks: [
      'Separate names with single spaces.',
      'This server’s metadata lists the scopes. Unknown names are left out; if none is known, the request is refused.',
      'Scopes of an API are asked for together with resource, the API’s identifier.',
      'An admin decides which scopes a client may ask for: “Scopes” on the app’s page.',
      'A refresh can’t ask for more than the user allowed: send them to sign in again.',
    ],
    clause: 'RFC 6749 sections 3.3, 4.1.2.1 and 5.2',
  },
  invalid_target: {
    also: 'AADSTS500011, AADSTS650057, invalid resource, service not found, audience not allowed, unknown audience, resource principal not found, access to api denied',
    checks: [
      'resource is the identifier of an API as it is registered on this server: an absolute URI without a fragment.',
      'An admin decides which clients may ask for an API: the API’s page says who may.',
      'At the token endpoint, name only APIs of the authorization request.',
      'An API whose tokens are JWTs is named alone: fetch one token for each API with the refresh token.',
    ],
    clause: 'RFC 8707 section 2',
  },
  slow_down: {
    also: 'polling too fast, polling interval',
    checks: [
      'The device asked for its tokens too soon: wait five seconds longer between requests from now on.',
    ],
    clause: 'RFC 8628 section 3.5',
  },
  authorization_pending: {
    also: 'AADSTS70016, device code pending, precondition required',
    checks: [
      'Nothing is wrong: the user hasn’t answered yet. Ask again after the number of seconds in interval, until there is another answer.',
    ],
    clause: 'RFC 8628 section 3.5',
  },
  expired_token: {
    also: 'AADSTS70020, device code expired, code_expired, device code not valid',
    checks: [
      'The user did not allow the device in time: ask for a new device code, and show the user the new code.',
    ],
    clause: 'RFC 8628 section 3.5',
  },
  access_denied: {
    also: 'AADSTS65004, AADSTS50105, AADSTS50020, user denied, user cancelled, user did not authorize the request, user is not assigned to the client application, consent declined, not authorized to access this app',
    checks: [
      'Read error_description: it says whether the user chose “Deny” or “Cancel”, or may not use this app.',
      'Let the user continue without access, and try again when they ask for it.',
      'If they should have access, an admin lets them in: the app’s Access tab.',
    ],
    clause: 'RFC 6749 section 4.1.2.1',
  },
  unsupported_response_type: {
    also: 'AADSTS700054, response_type id_token is not enabled, response type not supported, implicit flow is disabled',
    checks: ['Send response_type=code.'],
    clause: 'RFC 6749 section 4.1.2.1',
  },
  server_error: {
    also: '500 internal server error, internal error, unexpected error when handling authentication request',
    checks: [
      'Try again.',
      'If it keeps happening, give the operator the response’s X-Request-Id: the server’s log has the cause under it.',
    ],
    clause: 'RFC 6749 section 4.1.2.1',
  },
  temporarily_unavailable: {
    also: '503 service unavailable, rate limited, AADSTS90024, AADSTS50196',
    checks: [
      'Try again after the number of seconds in Retry-After.',
      'With status 429, too many recent requests from this client or IP address failed (wrong secrets, invalid codes or refresh tokens), or too many devices were started: look for whatever keeps sending the same bad one.',
      'An app that registers itself does so once, and keeps its client_id.',
    ],
    clause: 'RFC 6749 section 4.1.2.1; RFC 6585 section 4',
  },
  invalid_token: {
    also: '401 unauthorized, token verification failed, token is not active, invalid bearer token, access token expired, invalid authentication credentials, id token used as access token',
    checks: [
      'Get a new access token with the refresh token. If that fails too, send the user to the authorization endpoint.',
      'Send the access token, not the ID token or the refresh token.',
      'Send it as Authorization: Bearer, whole.',
      'At the registration endpoint, send a registration token as Authorization: Bearer. An admin makes one under Settings › New apps.',
    ],
    clause: 'RFC 6750 section 3.1',
  },
  insufficient_scope: {
    also: '403 forbidden, insufficient permissions, missing scope, access token scope insufficient, ACCESS_TOKEN_SCOPE_INSUFFICIENT, insufficient authentication scopes',
    checks: [
      'User information needs a token that a user allowed. A token from the client credentials grant has no user.',
      'A token for an API is for that API alone, unless the scope openid was asked for too.',
    ],
    clause: 'RFC 6750 section 3.1',
  },
  invalid_dpop_proof: {
    checks: [
      'Read error_description: it names what is wrong with the proof. The attempt on the app’s page has what came and what was expected.',
      `Make a proof for each request: typ dpop+jwt, alg one of ${dpopAlgs.join(', ')}, the public key in jwk, htm and htu of this very request, iat of now, and another jti each time. Beside an access token, ath is its SHA-256 in base64url.`,
      'htu is the address of the endpoint as this server’s metadata has it: /.well-known/openid-configuration.',
      'If the description says that it was used before, a library or a proxy sent the same request twice.',
      'If the client has to send a proof and the library knows no DPoP, an admin turns off “Tokens bound to a key” for it (client update ID --dpop-bound-access-tokens off).',
    ],
    clause: 'RFC 9449 sections 4.3, 5 and 7.1',
  },
  use_dpop_nonce: {
    checks: [
      'Send the same request again, with a new proof that has the value of the DPoP-Nonce header as nonce. Libraries do so on their own.',
      `Keep the last DPoP-Nonce of this server and use it in the next proof: each is good for about ${nonceMinutes} minutes.`,
      'In a browser, DPoP-Nonce can be read: this server lists it in Access-Control-Expose-Headers. A proxy before it must let it through.',
    ],
    clause: 'RFC 9449 sections 8 and 9',
  },
  invalid_redirect_uri: {
    also: 'redirect URI refused at registration',
    checks: [
      'Read error_description: it names what is wrong.',
      'Register at least one redirect URI: https anywhere, http only on localhost, 127.0.0.1 or [::1], or a scheme of the app’s own such as com.example.app:/callback.',
      'No fragment, no user name, no wildcard.',
    ],
    clause: 'RFC 7591 section 3.2.2',
  },
  invalid_client_metadata: {
    also: 'registration refused, policy trusted hosts rejected request',
    checks: [
      'Read error_description: it names the member that is wrong.',
      'Send one JSON object as application/json.',
      `token_endpoint_auth_method is ${clientAuthMethodNames.join(', ')}; response_types holds code; grant_types holds authorization_code. Unknown members are ignored.`,
    ],
    clause: 'RFC 7591 section 3.2.2',
  },
  unsupported_token_type: {
    checks: ['Send an access token or refresh token from this server.'],
    clause: 'RFC 7009 section 2.2.1',
  },
  unmet_authentication_requirements: {
    also: 'required acr not met, authentication requirements not met',
    checks: [
      'The request made the acr claim essential, or the app requires two-step sign-in, but the user signed in with one factor only. Send them again: they’ll be asked for their second step, or set one up along the way.',
    ],
    clause: 'OpenID Connect Core Error Code unmet_authentication_requirements 1.0, section 2',
  },
  interaction_required: {
    also: 'AADSTS50058, silent sign-in failed',
    checks: [withoutPrompt],
    clause: onCoreErrors,
  },
  login_required: {
    also: 'AADSTS50058, AADSTS16000, not logged in, silent authentication failed, prompt none failed, login required in iframe, third-party cookies blocked',
    checks: [
      'The user isn’t signed in, signed in too long ago, or isn’t the one the hint names.',
      withoutPrompt,
    ],
    clause: onCoreErrors,
  },
  account_selection_required: { checks: [withoutPrompt], clause: onCoreErrors },
  consent_required: {
    also: 'AADSTS65001, AADSTS90094, user or admin has not consented, need admin approval, consent missing',
    checks: [
      'The user hasn’t allowed these scopes yet, or must be asked every time.',
      withoutPrompt,
    ],
    clause: onCoreErrors,
  },
  request_not_supported: {
    also: 'request object, jar, signed request',
    checks: ['Send plain parameters instead of a request object.'],
    clause: onCoreErrors,
  },
  request_uri_not_supported: {
    checks: ['Send plain parameters instead of request_uri.'],
    clause: onCoreErrors,
  },
  registration_not_supported: {
    checks: ['Send a client_id instead: an admin adds the app, or lets it register itself first.'],
    clause: onCoreErrors,
  },
};
