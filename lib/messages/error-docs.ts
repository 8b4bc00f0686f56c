import type { ErrorCode } from '../oauth/errors.ts';
import { grantTypeNames } from '../oauth/grant-types.ts';

/** Help on an error for developers: usual causes, and the clause that defines it. */
export const errorDocs: Record<ErrorCode, { advice: string; clause: string }> = {
  invalid_request: {
    advice:
      'See error_description: it names the parameter. If it asks for code_challenge, turn on PKCE in the library, or have an admin turn off “Require PKCE” for this client (client update ID --require-pkce off). Send each parameter once, in the body, as application/x-www-form-urlencoded.',
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  invalid_client: {
    advice:
      'Check client_id and client_secret. Send the secret either in the Authorization header (Basic) or in the body, not both. Public clients have no secret and send only client_id.',
    clause: 'RFC 6749 section 5.2',
  },
  invalid_grant: {
    advice:
      'A code lasts 30 seconds and works once: redeem it immediately, with the redirect_uri, state and code_verifier of the same authorization request. With rotation on, a refresh token works once: keep the new one from each response. Both end at once when the user may no longer use the app. The exact reason is in the server’s log, under the response’s X-Request-Id.',
    clause: 'RFC 6749 section 5.2',
  },
  unauthorized_client: {
    advice: 'An admin decides which grant types a client can use. Ask them to allow this one.',
    clause: 'RFC 6749 sections 4.1.2.1 and 5.2',
  },
  unsupported_grant_type: {
    advice: `Use ${grantTypeNames.join(', ')}.`,
    clause: 'RFC 6749 section 5.2',
  },
  invalid_scope: {
    advice:
      'Scopes are names separated by single spaces. This server’s metadata lists them, and an admin decides which ones a client can request. Unknown names are ignored.',
    clause: 'RFC 6749 sections 3.3, 4.1.2.1 and 5.2',
  },
  invalid_target: {
    advice:
      'resource names the API that a token is for: an absolute URI without a fragment, as its API is registered on this server. An admin decides which clients may ask for it. At the token endpoint only APIs of the authorization request can be named, and an API whose tokens are JWTs only alone.',
    clause: 'RFC 8707 section 2',
  },
  slow_down: {
    advice:
      'With status 400, a device asked for its tokens too soon: wait five seconds longer between requests from now on. With status 429, too many devices were started, or too many recent requests from this client or IP address failed (wrong secrets, or invalid codes and refresh tokens), so further failures are not examined: look for whatever keeps sending the same bad one. Or an app registers again and again: register once, and keep the client_id. In every case, wait for the number of seconds in Retry-After. The exact reason is in the server’s log.',
    clause: 'RFC 8628 section 3.5; RFC 6585 section 4',
  },
  authorization_pending: {
    advice:
      'The user hasn’t answered yet. Ask again after the number of seconds in interval, until there is another answer.',
    clause: 'RFC 8628 section 3.5',
  },
  expired_token: {
    advice:
      'Nobody allowed the device in time. Ask for a new device code, and show the user the new code.',
    clause: 'RFC 8628 section 3.5',
  },
  access_denied: {
    advice:
      'The user chose “Deny” or “Cancel”, or may not use this app; the description says which. Let them continue without access, and try again when they ask for it. An admin decides who may use an app.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  unsupported_response_type: {
    advice: 'Send response_type=code.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  server_error: {
    advice: 'Try again. If it keeps happening, give the operator the response’s X-Request-Id.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  temporarily_unavailable: {
    advice: 'Try again after the number of seconds in Retry-After.',
    clause: 'RFC 6749 section 4.1.2.1',
  },
  invalid_token: {
    advice:
      'Get a new access token with the refresh token. If that fails too, send the user to the authorization endpoint. At the registration endpoint, get a registration token from an admin (Settings › New apps) and send it as Authorization: Bearer.',
    clause: 'RFC 6750 section 3.1',
  },
  insufficient_scope: {
    advice:
      'User information needs a token that a user authorized. A token from the client credentials grant has no user.',
    clause: 'RFC 6750 section 3.1',
  },
  invalid_redirect_uri: {
    advice:
      'Register at least one redirect URI: https anywhere, http only on localhost, 127.0.0.1 or [::1], or a scheme of the app’s own such as com.example.app:/callback. No fragment, no user name, no wildcard. error_description names what is wrong.',
    clause: 'RFC 7591 section 3.2.2',
  },
  invalid_client_metadata: {
    advice:
      'Send one JSON object as application/json. token_endpoint_auth_method is none, client_secret_basic or client_secret_post; response_types holds code; grant_types holds authorization_code. Unknown members are ignored. error_description names the member that is wrong.',
    clause: 'RFC 7591 section 3.2.2',
  },
  unsupported_token_type: {
    advice: 'Send an access token or refresh token from this server.',
    clause: 'RFC 7009 section 2.2.1',
  },
  unmet_authentication_requirements: {
    advice:
      'The request made the acr claim essential, but the user signed in with one factor only. Send the user again: they’ll be asked for their second step, or set one up along the way.',
    clause: 'OpenID Connect Core Error Code unmet_authentication_requirements 1.0, section 2',
  },
  interaction_required: {
    advice: 'Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  login_required: {
    advice:
      'The user isn’t signed in, signed in too long ago, or isn’t the one the hint names. Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  account_selection_required: {
    advice: 'Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  consent_required: {
    advice:
      'The user hasn’t allowed these scopes yet, or must be asked every time. Send the request again without prompt=none.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  request_not_supported: {
    advice: 'Send plain parameters instead of a request object.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  request_uri_not_supported: {
    advice: 'Send plain parameters instead of request_uri.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
  registration_not_supported: {
    advice: 'Clients are registered by an admin. Send a client_id.',
    clause: 'OpenID Connect Core section 3.1.2.6',
  },
};
