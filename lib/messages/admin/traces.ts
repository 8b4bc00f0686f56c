import type { Rule } from '../../oauth/facts.ts';
import type { TraceOutcome, TraceStepName } from '../../store/traces.ts';

/** The steps of an attempt. */
const steps: Record<TraceStepName, string> = {
  authorize: 'Authorization request',
  'sign-in': 'Sign-in',
  'second-step': 'Second step',
  consent: 'Consent',
  token: 'Token request',
  refresh: 'Refresh request',
  userinfo: 'User information',
  introspect: 'Introspection',
  device: 'Device asks to be let in',
  revoke: 'Revocation',
  'sign-out': 'Sign-out',
  address: 'Unknown address',
};

const outcomes: Record<TraceOutcome, string> = {
  done: 'OK',
  'sign-in': 'Sign-in needed',
  consent: 'Consent needed',
  denied: 'Denied by the person',
  failed: 'Wrong credentials',
  refused: 'Refused',
};

/** For each rule: what happened, and what to do about it. */
const rules: Record<Rule, { what: string; todo: string }> = {
  'client.missing': {
    what: 'client_id is missing',
    todo: 'Send client_id with every authorization request.',
  },
  'client.unknown': {
    what: 'Unknown client ID',
    todo: 'Compare the client ID in the app’s configuration with the one on its Connect tab.',
  },
  'client.disabled': { what: 'The app is disabled', todo: 'Enable it if it may sign people in.' },
  'client.document-host': {
    what: 'Apps of this host may not introduce themselves',
    todo: 'If you know the app, add the host of its client ID under Settings, New apps.',
  },
  'client.document-invalid': {
    what: 'The app’s metadata document can’t be used',
    todo: 'Whoever makes the app has to mend the document at its client ID.',
  },
  'client.document-unreachable': {
    what: 'The app’s metadata document couldn’t be read',
    todo: 'Open the client ID in a browser. If it’s there, check whether this server can reach the host.',
  },
  'client.host-blocked': {
    what: 'The app’s host is blocked',
    todo: 'Unblock the host if its apps may sign people in.',
  },
  'client.gone': {
    what: 'The app has to register again',
    todo: 'Its registration expired unused, or the app was removed. Connect it anew: it gets a new client ID.',
  },
  'client.not-accepted': {
    what: 'Apps like this may not introduce themselves',
    todo: 'Settings › New apps says which may. A host can be blocked there, too.',
  },
  'client-auth.missing': {
    what: 'No client secret was sent',
    todo: 'Send client_id and client_secret in the body, or in an HTTP Basic header.',
  },
  'client-auth.wrong-secret': {
    what: 'Wrong client secret',
    todo: 'Copy the secret again, without spaces or quotes. If it’s lost, add another one.',
  },
  'client-auth.secret-of-other': {
    what: 'The secret is another app’s',
    todo: 'Client ID and secret have to be of one app. Whose this one is, only admins are told.',
  },
  'client-auth.public-with-secret': {
    what: 'A public app sent a secret',
    todo: 'Remove the secret from the app’s configuration, or make the app confidential.',
  },
  'client-auth.malformed': {
    what: 'The Authorization header can’t be read',
    todo: 'Use "Basic", with both parts form-encoded before they are joined (RFC 6749, 2.3.1).',
  },
  'client-auth.two-ways': {
    what: 'Credentials were sent in two ways',
    todo: 'Send them in the header or in the body, not both.',
  },
  'client-auth.confidential-only': {
    what: 'Only confidential apps may do this',
    todo: 'Use an app with a secret.',
  },
  'redirect-uri.missing': {
    what: 'redirect_uri is missing',
    todo: 'Send one of the registered redirect URIs.',
  },
  'redirect-uri.unregistered': {
    what: 'The redirect URI isn’t registered',
    todo: 'Register it if it belongs to the app. Every character counts: scheme, port and trailing slash too.',
  },
  'redirect-uri.forbidden': {
    what: 'This redirect URI can’t be used',
    todo: 'Use an https address, a loopback address, or a private-use scheme.',
  },
  'redirect-uri.differs': {
    what: 'The redirect URI differs from the authorization request',
    todo: 'Send the same redirect_uri to both endpoints.',
  },
  'post-logout.unregistered': {
    what: 'The sign-out address isn’t registered',
    todo: 'Register it if it belongs to the app: “After signing out” in its settings. Every character counts.',
  },
  'post-logout.no-client': {
    what: 'The sign-out names no app',
    todo: 'Send client_id or id_token_hint together with post_logout_redirect_uri.',
  },
  'id-token-hint.foreign': {
    what: 'id_token_hint isn’t an ID token of this server',
    todo: 'Send the ID token as it came, whole; or client_id instead, if it is lost.',
  },
  'id-token-hint.other-client': {
    what: 'id_token_hint belongs to another app',
    todo: 'Send the ID token that this client_id got, or leave client_id out.',
  },
  'response-type': { what: 'Unsupported response type', todo: 'Use response_type=code.' },
  'response-mode': { what: 'Unsupported response mode', todo: 'Use query or form_post.' },
  'grant-type.missing': { what: 'grant_type is missing', todo: 'Send grant_type in the body.' },
  'grant-type.unknown': { what: 'Unsupported grant type', todo: 'Use one of the supported ones.' },
  'grant-type.not-allowed': {
    what: 'The app may not use this grant type',
    todo: 'Allow the grant type if the app needs it.',
  },
  'scope.malformed': { what: 'Malformed scope', todo: 'Separate names with single spaces.' },
  'scope.unknown': { what: 'Unknown scope', todo: 'Create the scope, or ask for a known one.' },
  'scope.not-allowed': {
    what: 'The app may not ask for this scope',
    todo: 'Allow the scope if the app needs it.',
  },
  'scope.wider': {
    what: 'A refresh asked for more than was granted',
    todo: 'Ask for the scopes of the sign-in, or fewer.',
  },
  'scope.ignored': {
    what: 'Some scopes were left out',
    todo: 'This server doesn’t know them, or the app may not ask for them. The answer’s scope says which were granted.',
  },
  'state.missing': {
    what: 'state is missing',
    todo: 'Send the state of the authorization request.',
  },
  'state.too-long': { what: 'state is too long', todo: 'Use at most 4,096 bytes.' },
  'state.differs': {
    what: 'state differs from the authorization request',
    todo: 'The answer may belong to another tab. Start the sign-in again.',
  },
  'pkce.required': {
    what: 'PKCE is required',
    todo: 'Turn on PKCE (S256) in the app, or don’t require it for this app.',
  },
  'pkce.method': { what: 'Unsupported PKCE method', todo: 'Use code_challenge_method=S256.' },
  'pkce.challenge-malformed': {
    what: 'Malformed code_challenge',
    todo: 'Send the SHA-256 of the verifier in base64url: 43 characters, no padding.',
  },
  'pkce.verifier-missing': {
    what: 'code_verifier is missing',
    todo: 'Send the verifier that belongs to the code_challenge.',
  },
  'pkce.verifier-malformed': {
    what: 'Malformed code_verifier',
    todo: 'Use 43 to 128 characters: letters, digits, "-", ".", "_" and "~".',
  },
  'pkce.verifier-is-challenge': {
    what: 'You sent the challenge as code_verifier',
    todo: 'Send the verifier itself: the text whose SHA-256 is the code_challenge.',
  },
  'pkce.verifier-differs': {
    what: 'code_verifier doesn’t match',
    todo: 'The app sent the verifier of another request, often from a second tab. Keep one per state.',
  },
  'pkce.verifier-unexpected': {
    what: 'A code_verifier without a code_challenge',
    todo: 'The challenge was lost on the way to the authorization endpoint. Check the app’s PKCE setting.',
  },
  'code.missing': { what: 'code is missing', todo: 'Send the code from the redirect.' },
  'code.unknown': {
    what: 'Unknown code',
    todo: 'The code was cut, decoded twice, or comes from another server.',
  },
  'code.other-client': {
    what: 'The code belongs to another app',
    todo: 'Use the client ID that started the sign-in.',
  },
  'code.used': {
    what: 'The code was used before',
    todo: 'A code works once. Check for a retry, or a page that reloads its callback.',
  },
  'code.expired': {
    what: 'The code has expired',
    todo: 'Redeem it at once. If the app is quick, compare its clock and network.',
  },
  'code.ended': {
    what: 'The code was revoked',
    todo: 'The person, the app or the approval changed in the meantime. Start the sign-in again.',
  },
  'device-code.missing': {
    what: 'device_code is missing',
    todo: 'Send the device_code from the device authorization endpoint.',
  },
  'device-code.unknown': {
    what: 'Unknown device code',
    todo: 'It was cut, comes from another server, or expired a while ago. Ask for a new one.',
  },
  'device-code.other-client': {
    what: 'The device code belongs to another app',
    todo: 'Use the client ID that asked for it.',
  },
  'device-code.too-soon': {
    what: 'The device asks too often',
    todo: 'Wait the seconds of interval between two requests, and five more after each slow_down.',
  },
  'device-code.denied': {
    what: 'The person denied the device',
    todo: 'Nothing, unless they did so by mistake: then start again on the device.',
  },
  'device-code.used': {
    what: 'The device code was used before',
    todo: 'A device code works once. Keep the tokens, and stop asking once they have come.',
  },
  'device-code.expired': {
    what: 'The device code has expired',
    todo: 'Nobody allowed it in time. Start again on the device.',
  },
  'client.too-many-new': {
    what: 'This person has let in too many new apps',
    todo: 'One person may let in 20 new apps in 15 minutes. The page says how long to wait.',
  },
  'client.too-many-documents': {
    what: 'Too many new apps were looked up from one network',
    todo: 'Look for a program that asks for ever other client IDs. The page says how long to wait.',
  },
  'device-code.ended': {
    what: 'What was allowed ended before the device fetched it',
    todo: 'The person, the app or the approval changed in the meantime. Start again on the device.',
  },
  'device.too-many': {
    what: 'Too many devices were started from one address',
    todo: 'Look for a program that starts over and over. Retry-After says when it may again.',
  },
  'refresh-token.missing': { what: 'refresh_token is missing', todo: 'Send the refresh token.' },
  'refresh-token.unknown': {
    what: 'Unknown refresh token',
    todo: 'It was cut, or comes from another server. The person has to sign in again.',
  },
  'refresh-token.other-client': {
    what: 'The refresh token belongs to another app',
    todo: 'Use the client ID it was issued to.',
  },
  'refresh-token.used': {
    what: 'An old refresh token was used again',
    todo: 'Store the new refresh token after each refresh. Its access was revoked, because someone may have a copy.',
  },
  'refresh-token.expired': {
    what: 'The refresh token has expired',
    todo: 'The person has to sign in again.',
  },
  'refresh-token.ended': {
    what: 'The refresh token was revoked',
    todo: 'Access was removed, or the account changed. The person has to sign in again.',
  },
  'access-token.missing': { what: 'No access token', todo: 'Send it in an Authorization header.' },
  'access-token.ended': {
    what: 'The access token isn’t valid',
    todo: 'Refresh it, or sign in again.',
  },
  'access-token.id-token': {
    what: 'An ID token was sent in place of an access token',
    todo: 'Send the access_token of the same answer. An ID token is for the app alone.',
  },
  'access-token.no-user': {
    what: 'The token belongs to no person',
    todo: 'A client credentials token has no user information.',
  },
  'parameter.repeated': { what: 'A parameter was sent twice', todo: 'Send each parameter once.' },
  'parameter.in-query': {
    what: 'Parameters in the address',
    todo: 'Send them in the body: addresses end up in logs.',
  },
  'parameter.invalid': { what: 'Invalid parameter', todo: 'Compare it with what is expected.' },
  'parameter.ignored': {
    what: 'Some parameters were ignored',
    todo: 'This server doesn’t know them. Nothing to do, unless you count on one of them.',
  },
  'parameter.audience': {
    what: 'audience was ignored',
    todo: 'To get a token for an API, send its identifier as resource (RFC 8707).',
  },
  method: {
    what: 'Wrong HTTP method',
    todo: 'Send the request with an expected method. A library does; a browser’s address bar sends GET.',
  },
  'address.unknown': {
    what: 'Nothing is at this address',
    todo: 'Set the app to the issuer alone: it reads all addresses from the issuer’s document. Or use the expected one.',
  },
  'content-type': {
    what: 'Unsupported content type',
    todo: 'Send application/x-www-form-urlencoded.',
  },
  'request.malformed': {
    what: 'Malformed request',
    todo: 'Check the encoding: UTF-8, percent-encoded, within the limits.',
  },
  'request.object': {
    what: 'Request objects aren’t supported',
    todo: 'Send the parameters one by one.',
  },
  'resource.malformed': {
    what: 'resource can’t be read',
    todo: 'Send the identifier of an API: an absolute URI without a fragment.',
  },
  'resource.unknown': {
    what: 'No API with this identifier',
    todo: 'Compare resource with the identifier on the API’s page, or add the API.',
  },
  'resource.not-allowed': {
    what: 'The app may not ask for this API',
    todo: 'The API’s page says who may ask for its tokens. Let the app ask there.',
  },
  'resource.not-granted': {
    what: 'The person allowed no access to this API',
    todo: 'Send the same resource in the authorization request.',
  },
  'resource.one-at-a-time': {
    what: 'One token for several APIs, of which one wants JWTs',
    todo: 'Send one resource with each token request: the refresh token gets a token for each API.',
  },
  'resource.ignored': {
    what: 'No API has the identifier that was sent as resource, so it was ignored',
    todo: 'If tokens should be meant for one API, add it with this identifier. REFUSE_UNKNOWN_RESOURCE refuses unknown ones.',
  },
  'access-token.other-audience': {
    what: 'The token is for an API, not for user information',
    todo: 'Ask for the scope openid too, or get a token without resource.',
  },
  'introspection.foreign': {
    what: 'The app may not see this token',
    todo: 'Who serves an API sees its tokens: add this app on the API’s page. Tokens for no API are seen by apps that are resource servers.',
  },
  'registration.off': {
    what: 'An app tried to register itself',
    todo: 'Dynamic registration is off. Turn it on under Settings › New apps, or add the app yourself.',
  },
  'registration.access': {
    what: 'The app may not read this registration',
    todo: 'Send the registration_access_token that came with this client_id. It ends with the app.',
  },
  'registration.token': {
    what: 'A registration without a valid token',
    todo: 'Create a registration token under Settings › New apps, and give it to the app.',
  },
  'registration.metadata': {
    what: 'A registration with unusable metadata',
    todo: 'The answer to the app says which member is wrong.',
  },
  'registration.too-many': {
    what: 'Too many registrations from one address',
    todo: 'Wait a few minutes. An app registers once and keeps its client ID.',
  },
  'iss.left-out': {
    what: 'The answer left out iss',
    todo: 'This app’s settings say so. Turn it on again if its library knows RFC 9207.',
  },
  'login-required': {
    what: 'The person isn’t signed in',
    todo: 'Repeat the request without prompt=none.',
  },
  'consent-required': {
    what: 'The person has to be asked',
    todo: 'Repeat the request without prompt=none.',
  },
  'second-factor-required': {
    what: 'A second step is required',
    todo: 'The person has to set up two-step sign-in.',
  },
  'sign-in-too-old': {
    what: 'The sign-in is too old for this app',
    todo: 'The person has to sign in again. How old a sign-in may be stands in the app’s rules.',
  },
  'sign-in-over': {
    what: 'The app’s time after a sign-in is over',
    todo: 'The person has to sign in again. How long a sign-in lasts stands in the app’s rules.',
  },
  'access.network': {
    what: 'This network isn’t one of the app’s',
    todo: 'Sign in from one of its networks, or add this one to the app’s rules. If no address is known, set TRUSTED_PROXIES.',
  },
  'approval.needed': {
    what: 'An admin has to approve this app first',
    todo: 'Approve or refuse it under Apps, once somebody has asked for it.',
  },
  'approval.refused': {
    what: 'An admin has refused this app',
    todo: 'Approve it if people may use it after all.',
  },
  'access.not-listed': {
    what: 'This person may not use the app',
    todo: 'Let them in on the app’s access page, or put them in a group that may use it.',
  },
  other: { what: 'Another reason', todo: '' },
};

/** What the pages about attempts say. */
export const traceWords = {
  title: 'Sign-in attempts',
  lead: 'What apps tried, step by step, and why it failed. Kept for a few days.',
  list: 'Sign-in attempts',
  one: 'Sign-in attempt',
  oneOf: 'attempt',
  severalOf: 'attempts',
  search: 'Search attempts',
  steps,
  outcomes,
  rules,
  columnWhen: 'Last request',
  columnApp: 'App',
  columnPerson: 'Person',
  columnStep: 'Last step',
  columnResult: 'Result',
  client: 'App',
  person: 'Person',
  request: 'Request ID',
  requestHint: 'From an error page or log',
  requestNone: (id: string) => `No attempt with the request ID “${id}” is kept.`,
  shown: 'Show',
  all: 'All attempts',
  failed: 'Failed',
  worked: 'Without errors',
  reason: 'Reason',
  anyReason: 'Any reason',
  unknownApp: 'Unknown app',
  nobody: '–',
  somebody: 'Someone (name hidden)',
  none: 'No attempts yet',
  noneText: 'When an app sends someone here to sign in, it shows up here.',
  nothingFound: 'No attempts match',
  nothingFoundText: 'Remove a filter.',
  anyone: 'Anyone could have sent this request.',
  sentBy: 'Sent by',
  behind: { nobody: 'Anyone', person: 'A signed-in person', app: 'The app, with its credential' },
  received: 'Received',
  expected: 'Expected',
  nothing: 'nothing',
  reasonLabel: 'Reason',
  requestLabel: 'Request ID',
  times: (count: number) => `${count} times`,
  later: 'Errors on the way',
  mend: {
    'redirect-uri': 'Add this redirect URI',
    'sign-out-uri': 'Add this sign-out address',
    scope: 'Allow this scope',
    'grant-type': 'Allow this grant type',
    pkce: 'Don’t require PKCE',
    network: 'Add this network',
    enable: 'Enable this app',
  },
  mendConfirm: {
    'redirect-uri': 'Yes, add it',
    'sign-out-uri': 'Yes, add it',
    scope: 'Yes, allow it',
    'grant-type': 'Yes, allow it',
  },
  mendText: {
    'redirect-uri': (value: string) =>
      `Codes and people can then be sent to ${value}. Only add it if it belongs to this app.`,
    'sign-out-uri': (value: string) =>
      `People can then be sent to ${value} after signing out. Only add it if it belongs to this app.`,
    scope: (value: string) => `The app can then ask people for “${value}”.`,
    'grant-type': (value: string) => `The app can then use “${value}” at the token endpoint.`,
    network: (value: string) => `People can then sign in to the app from ${value}, too.`,
    pkce: () => 'Stolen codes are then protected by the client secret alone.',
    iss: () =>
      'The app’s answers then leave out iss (RFC 9207), which tells a client of several servers which one answered. Turn it off only if the app talks to this server alone.',
    email: (value: string) =>
      `Apps are then told that ${value} belongs to this person. Only do it if you know that it does.`,
    access: (value: string) =>
      `${value} can then use this app. To let in several people, let in a group on the app’s Access tab.`,
    enable: () => 'The app can then sign people in again. Revoked sessions stay revoked.',
  },
  hint: {
    lost: 'The app never came for its code. It may have lost the state of its sign-in (cookies, a second tab, a restart), it may not reach this server’s token endpoint, or its library refused the answer.',
    iss: 'The app never came for its code. Without the iss parameter it did: its library may not accept it.',
    email:
      'The app was told that this person’s email address isn’t confirmed. Some apps turn such people away.',
  },
  mendElsewhere: (place: string) =>
    `None of this app’s addresses is at ${place}, and anyone can name one: check whose it is.`,
  meant: 'Did you mean',
  typePlace: (place: string) => `Type “${place}” to add it`,
  mendSince: {
    nobody:
      'Neither a signed-in person nor a credential of the app stood behind this request, so anyone could have sent it. If the app needs it, change the setting yourself.',
    person:
      'A signed-in person stood behind this request, and following a link is enough to send it. If the app needs it, change the setting yourself.',
    disabled:
      'Whoever has the app’s credential could have sent this request, also if that is why it was disabled.',
    unverified:
      'The app sent this request with its own credential, but no admin vouches for it. If it needs this, change the setting yourself.',
    guess: '',
  },
  mendSensitive: (scope: string) => `“${scope}” is a sensitive scope.`,
  mendSettings: {
    'redirect-uri': 'The app’s addresses',
    'sign-out-uri': 'The app’s addresses',
    scope: 'What the app may ask for',
    'grant-type': 'What the app may ask for',
    pkce: 'The app’s protocol settings',
    network: 'The app’s rules',
    enable: 'Where the app is enabled',
    iss: 'The app’s protocol settings',
    email: 'This person’s page',
    access: 'Who may use the app',
  },
  mended: 'Changed. Try the app again.',
  ofApp: 'Sign-in attempts',
  ofAppAll: 'All attempts of this app',
} as const;
