import { mostGroupsInToken, ownRoom } from '../oauth/id-token-room.ts';

/** Headings and labels of the documentation, which is in English like the RFCs. */
export const docsWords = {
  title: 'Documentation',
  lead: 'How to run this server, how to connect apps to it, and what its errors mean.',
  search: 'Search the documentation',
  searchButton: 'Search',
  searchTitle: (query: string) => `Search for “${query}”`,
  found: (count: number) => (count === 1 ? '1 place found.' : `${count} places found.`),
  foundMost: (count: number) => `The ${count} best places. Another word narrows it down.`,
  foundSome: 'No place has all of these words. These have some of them.',
  foundNone:
    'Nothing was found. Try another word, or fewer: the name of a setting, an error code, a command.',
  elsewhere: 'Not what you need? See',
  elsewhereLinks: [
    ['/docs/recipes/any-library', 'how to connect an app without a recipe'],
    ['/docs/not-here', 'what is not here'],
  ],
  pages: 'All pages',
  inPage: 'On this page',
  next: 'Next:',
  addresses: 'Addresses',
  addressesText:
    'Most libraries only need the issuer and find the rest on their own. If yours asks for a “discovery URL”, give it one of the two metadata addresses.',
  issuer: 'Issuer',
  discovery: 'OpenID Connect metadata',
  metadata: 'OAuth metadata (authorization server)',
  authorize: 'Authorization endpoint',
  token: 'Token endpoint',
  device: 'Device authorization endpoint',
  me: 'User information (userinfo)',
  keys: 'Signing keys (JWKS)',
  introspect: 'Introspection',
  revoke: 'Revocation',
  pushed: 'Pushed requests',
  register: 'Client registration (while an admin has turned it on)',
  logout: 'Sign-out (end session)',
  copy: (label: string) => `Copy ${label}`,
  stumbles: 'Common problems',
  errors: 'Errors',
  errorsText: 'Each error code of this server, with its cause and its remedy.',
  all: 'All errors and addresses',
  checks: 'What to check',
  attempt: 'This attempt',
  attemptWhole: 'The whole attempt',
  attemptNone:
    'No attempt with this request ID is kept. Attempts are kept for a few days, and requests that need no app are in the log alone.',
  attemptHidden:
    'If you can see this app’s attempts, the reason appears here: what was received, beside what was expected.',
  attemptContact: (id: string) =>
    `To see them, ask an admin of this server to name you a developer contact, on the app’s Access tab. Give them the request ID ${id}.`,
  attemptSignIn: 'Sign in to see the attempt',
  clause: 'Defined in',
  llms: 'A self-hosted OAuth 2.0 and OpenID Connect server: apps send people here to sign in, and get tokens.',
  llmsWhole: 'All pages in one file',
  llmsApi: 'Calls of the API',
  llmsOpenapi: 'every call, with what it takes and answers.',
  llmsIssuer: (issuer: string) =>
    `The issuer of this server is ${issuer}; libraries find every endpoint in ${issuer}/.well-known/openid-configuration. Pages below are Markdown.`,
} as const;

/** Words of the recipe pages, besides those they share with the dashboard. */
export const recipeDocsWords = {
  search: 'Search recipes',
  searchButton: 'Search',
  found: (count: number) => (count === 1 ? '1 recipe' : `${count} recipes`),
  register: 'What to register',
  type: 'Kind of app',
  types: { confidential: 'with a secret', public: 'without a secret' },
  redirectUris: 'Redirect URIs',
  postLogoutRedirectUris: 'After signing out',
  backchannelLogoutUri: 'Back-channel logout URI',
  scopes: 'Scopes',
  grants: 'Grant types',
  next: '**Next step:** [find out why a sign-in fails](../guides/errors.md), and [go live](../guides/going-live.md).',
} as const;

/** Words for filling the samples with the values of the reader's app. */
export const yourAppWords = {
  title: 'Your app in the samples',
  label: 'App',
  none: 'Example values',
  show: 'Show',
  filled: (name: string) => `The samples have the values of ${name}. Its secret is not among them.`,
  public: 'It has no secret: leave CLIENT_SECRET out.',
  unfit:
    'One of its addresses has characters that a shell could misread, so the samples keep the examples.',
} as const;

/**
 * Known problems of client libraries, and the setting that helps. The ids are used in URLs; `also`
 * has other names of the problem, for the search.
 */
export const stumbles = [
  {
    id: 'redirect-uris',
    also: 'redirect_uri_mismatch, AADSTS50011, AADSTS500113, AADSTS900971, redirect URI mismatch, callback URL mismatch, invalid redirect uri, invalid parameter redirect_uri, wildcard redirect uri, the redirect URI in the request does not match, redirect uri not registered, redirect_uri is not associated with this application, callback url is not in the allowed list, redirect_uri must be a login redirect uri, redirect uri error',
    title: 'redirect_uri is not registered for this client',
    text: 'Addresses must match exactly: scheme, host, port, path and trailing slash. The error page shows the one that was sent. An admin can add it on the app’s page under “Redirect URIs”, or with client update ID --redirect-uri URI (repeat the option for each address: it replaces the list). Only a port may differ: that of http://127.0.0.1, http://[::1] and, for apps without a secret, http://localhost (RFC 8252 section 7.3). Prefer the numbers: localhost can resolve to another address, where something else listens (section 8.3). Any program on that machine could pretend to be the app, so people are asked each time (section 8.6).',
  },
  {
    id: 'pkce',
    also: 'pkce required, code challenge required, missing code_challenge, code_challenge_method, AADSTS9002325, proof key for code exchange is required',
    title: 'code_challenge is required',
    text: 'Turn on PKCE with S256 in the library. Public clients need it. For an app that keeps a secret, an admin can make it optional: “Require PKCE” on the app’s page, or client update ID --require-pkce off.',
  },
  {
    id: 'iss',
    also: 'unexpected iss, unexpected iss value, iss mismatch, issuer mismatch, authorization response iss, invalid issuer',
    title: 'The library fails on the iss parameter',
    text: 'Every response of the authorization endpoint names this server in iss, errors included (RFC 9207). Give the library the issuer so it can compare the two. If it can’t handle the parameter, an admin can turn it off: “Send iss with responses” on the app’s page, or client update ID --no-iss.',
  },
  {
    id: 'introspection',
    also: 'active false, token not active, introspection inactive',
    title: 'Introspection says every token is inactive',
    text: 'A client can only introspect its own tokens. The client of an API sees the tokens of that API: it must be listed under “The API itself” on the API’s page (or api update API --served-by ID), and the app must have asked for the token with resource, the API’s identifier. For tokens of no API, it must be a resource server: “Resource server” on the app’s page, or client update ID --resource-server on. The attempt in the dashboard has the reason.',
  },
  {
    id: 'groups',
    also: 'groups missing in token, groups claim missing, groups overage, hasgroups, no groups in id token, roles missing in token',
    title: 'The ID token has no groups',
    text: `Ask for the scope groups: the ID token, the user information and introspection then name a person’s groups. An ID token has room for ${mostGroupsInToken} groups and ${ownRoom.toLocaleString('en')} bytes of claims. For someone in more it leaves the claim out (someone in no group has an empty list), and the user information has all of them. Give the app fewer groups or shorter names: “Claims” on the app’s page, or client update ID --groups-prefix PREFIX --group-name GROUP=NAME. There an admin can also choose the name of the claim.`,
  },
  {
    id: 'opaque-tokens',
    also: 'jwt malformed, opaque access token, cannot decode access token, not enough segments, invalid compact jws, at+jwt, JWT is not well formed, jwt must have 3 parts',
    title: 'The access token is not a JWT',
    text: 'Access tokens are opaque, so they stop working the moment they’re revoked. An API checks them by introspection (in Spring: opaquetoken.introspection-uri instead of jwt.issuer-uri). An API that wants JWTs gets them (RFC 9068): “Tokens” on its page, or api update API --token-format jwt. Spring’s own settings refuse their type, at+jwt: the Java on the API’s page takes it. The app has to ask for its tokens with resource. ID tokens are always JWTs, and are no access tokens.',
  },
  {
    id: 'registration',
    also: 'dynamic client registration failed, registration_endpoint missing',
    title: 'The client tries to register itself (an MCP client, for example)',
    text: 'An app can register itself in two ways, and each is off until an admin turns it on under Settings → New apps: by a metadata document at its client_id (CLIENT_DOCUMENT_HOSTS), or by dynamic registration (CLIENT_REGISTRATION). Otherwise an admin adds it. An MCP client is a public client with a loopback redirect URI: client create --name NAME --public --redirect-uri http://127.0.0.1/callback (any port works). Give it the client_id that the command prints.',
  },
] as const;
