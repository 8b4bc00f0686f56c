import type { ErrorCode } from '../oauth/errors.ts';
import { grantTypeNames } from '../oauth/grant-types.ts';

/** Help on an error for developers: usual causes, and the clause that defines it. */
export const errorDocs: Record<ErrorCode, { advice: string; clause: string }> = {
  invalid_request: {
    advice:
      'Look at error_description: it names the parameter. Where it asks for code_challenge, switch PKCE on in the library, or have an admin switch “Require PKCE” off for this client (client update ID --require-pkce off). Each parameter may be sent once, in the body as application/x-www-form-urlencoded.',
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  invalid_client: {
    advice:
      'Check client_id and client_secret. Send the secret either in the Authorization header (Basic) or in the body, not in both. Public clients have no secret and send client_id alone.',
    clause: 'RFC 6749 section 5.2',
  },
  invalid_grant: {
    advice:
      'A code lives 30 seconds and works once; redeem it at once, with the redirect_uri, state and code_verifier of the same authorization request. A refresh token works once where rotation is on: keep the new one from each answer. The reason is in the log of the server, under the X-Request-Id of the answer.',
    clause: 'RFC 6749 section 5.2',
  },
  unauthorized_client: {
    advice: 'An admin decides which grant types a client may use. Ask for this one to be allowed.',
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  unsupported_grant_type: {
    advice: `Use ${grantTypeNames.join(', ')}.`,
    clause: 'RFC 6749 section 5.2',
  },
  invalid_scope: {
    advice:
      'Scopes are names separated by single spaces. The metadata of this server lists them; an admin decides which ones a client may ask. Names that this server does not have are left out.',
    clause: 'RFC 6749 sections 3.3, 4.1.2.1 and 5.2',
  },
  slow_down: {
    advice:
      'So many requests of this client or from this address failed lately (wrong secrets, or codes and refresh tokens that are not good) that the next failure is not looked into. Wait as many seconds as Retry-After says. A request that is right is never answered so: look for what sends the same wrong one again and again. The reason is in the log of the server.',
    clause: 'RFC 6585 section 4; the name is from RFC 8628 section 3.5',
  },
  access_denied: {
    advice:
      'The person pressed "Deny" or "Cancel". Let them go on without access, and try again when they ask for it.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  unsupported_response_type: {
    advice: 'Send response_type=code.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  server_error: {
    advice: 'Try again. If it stays, tell the operator the X-Request-Id of the answer.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  temporarily_unavailable: {
    advice: 'Try again after the seconds that Retry-After names.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  invalid_token: {
    advice:
      'Get a new access token with the refresh token. If that fails as well, send the person to the authorization endpoint.',
    clause: 'RFC 6750 section 3.1',
  },
  insufficient_scope: {
    advice:
      'User information needs a token that a person authorized; a token of the client credentials grant stands for no person.',
    clause: 'RFC 6750 section 3.1',
  },
  unsupported_token_type: {
    advice: 'Send an access token or a refresh token of this server.',
    clause: 'RFC 7009 section 2.2.1',
  },
  unmet_authentication_requirements: {
    advice:
      'The claim acr was demanded as essential, and the sign-in was by one factor. Send the person again: they are asked for their second factor, or set one up on the way.',
    clause: 'OpenID Connect Core Error Code unmet_authentication_requirements 1.0, section 2',
  },
  interaction_required: {
    advice: 'Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  login_required: {
    advice:
      'Nobody is signed in, or not recently enough, or somebody else than the hint names. Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  account_selection_required: {
    advice: 'Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  consent_required: {
    advice:
      'The person has not yet allowed these scopes, or has to be asked each time. Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  request_not_supported: {
    advice: 'Send the parameters themselves instead of a request object.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  request_uri_not_supported: {
    advice: 'Send the parameters themselves instead of request_uri.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  registration_not_supported: {
    advice: 'An admin registers clients. Send a client_id.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
};
