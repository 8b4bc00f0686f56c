/** Headings and labels of the developer pages, which are in English like the RFCs. */
export const docsWords = {
  title: 'For developers',
  lead: 'Where the endpoints of this server are, what libraries stumble over, and what errors mean.',
  addresses: 'Addresses',
  addressesText:
    'Most libraries want the issuer and find the rest by themselves. Where one asks for a “discovery URL” instead, give it one of the two metadata addresses.',
  issuer: 'Issuer',
  discovery: 'OpenID Connect metadata',
  metadata: 'OAuth metadata (authorization server)',
  authorize: 'Authorization endpoint',
  token: 'Token endpoint',
  me: 'User information (userinfo)',
  keys: 'Signing keys (JWKS)',
  introspect: 'Introspection',
  revoke: 'Revocation',
  logout: 'Sign-out (end session)',
  stumbles: 'When a library stumbles',
  errors: 'Errors',
  all: 'All errors and addresses',
  advice: 'What you can do',
  clause: 'Where it is defined',
} as const;

/** Known problems of client libraries, and the setting that helps. The ids are used in URLs. */
export const stumbles = [
  {
    id: 'redirect-uris',
    title: 'redirect_uri is none of the registered ones',
    text: 'Addresses are compared character by character: scheme, host, port, path, a slash at the end. The error page shows the one that was sent. An admin registers it on the page of the client, under “Redirect URIs”, or by client update ID --redirect-uri URI (repeat it for each: it replaces the list).',
  },
  {
    id: 'pkce',
    title: 'code_challenge is required',
    text: 'Switch PKCE with S256 on in the library. Public clients need it; for an app that keeps a secret an admin can do without: “Require PKCE” on the page of the client, or client update ID --require-pkce off.',
  },
  {
    id: 'iss',
    title: 'iss is unexpected, or the library takes it for something else',
    text: 'Each answer of the authorization endpoint names this server in iss, errors included (RFC 9207). Give the library the issuer, so that it can compare. For one that cannot bear the parameter an admin switches it off: “Send iss with the answer” on the page of the client, or client update ID --no-iss.',
  },
  {
    id: 'introspection',
    title: 'Introspection says that every token is inactive',
    text: 'A client hears about its own tokens only. An API that checks the tokens of others is a resource server: “Resource server” on the page of the client, or client update ID --resource-server on.',
  },
  {
    id: 'opaque-tokens',
    title: 'The access token is no JWT',
    text: 'Access tokens are opaque, so that they end the moment they are withdrawn. An API checks them by introspection (in Spring: opaquetoken.introspection-uri instead of jwt.issuer-uri). ID tokens are JWTs.',
  },
  {
    id: 'registration',
    title: 'The client wants to register by itself (MCP, for example)',
    text: 'There is no dynamic client registration, and no client metadata document is read: an admin registers each client, in the dashboard or by client create. An MCP client is a public one with its loopback redirect URI: client create --name NAME --public --redirect-uri http://127.0.0.1/callback (any port will do). Give it the client_id that this prints.',
  },
] as const;
