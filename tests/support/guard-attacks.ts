/** What each proxy has to leave of what a browser claims, by its name as an app reads it. */
export const names = [
  'remote-user',
  'remote-name',
  'remote-email',
  'remote-groups',
  'remote-sub',
  'x-auth-request-user',
  'x-auth-request-email',
  'x-auth-request-groups',
  'x-auth-request-preferred-username',
  'x-gatehouse-jwt',
];

/** Claims of a browser: who it is, how a proxy was asked, and what would be lost on the way. */
export const claims: Record<string, Record<string, string | string[]>> = {
  'every name': Object.fromEntries(names.map((name) => [name, 'admin'])),
  'with _ for -': Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), 'admin'])),
  'with one _ for -': Object.fromEntries(names.map((name) => [name.replace('-', '_'), 'admin'])),
  'in capitals': Object.fromEntries(names.map((name) => [name.toUpperCase(), 'admin'])),
  'a name twice': { 'Remote-User': ['admin', 'root'] },
  'a name that is lost': { connection: 'close, Remote-User, X-Gatehouse-Jwt, Remote-Groups' },
  'an address that is lost': { connection: 'close, X-Forwarded-Host, X-Forwarded-Uri' },
};

/** What makes other guards believe that another address was asked for. */
export const elsewhere: Record<string, string>[] = [
  { 'x-forwarded-uri': '/open/x' },
  { 'x-forwarded-path': '/open/x' },
  { 'x-forwarded-method': 'OPTIONS' },
  { 'x-forwarded-host': 'open.example.org' },
  { 'x-forwarded-proto': 'http' },
  { 'x-original-url': 'https://app.example.org/open/x' },
  { 'x-original-uri': '/open/x' },
  { 'x-original-method': 'OPTIONS' },
  { 'x-rewrite-url': '/open/x' },
  { 'x-http-method-override': 'OPTIONS' },
  { 'x-forwarded-server': 'open.example.org' },
  { X_Forwarded_Uri: '/open/x', X_Original_Url: '/open/x' },
  { forwarded: 'for=127.0.0.1;host=open.example.org;proto=https' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  { 'x-gatehouse-proxy-secret': 'x'.repeat(40), 'x-gatehouse-doctor': 'x' },
  { origin: 'https://app.example.org', 'access-control-request-method': 'GET' },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { authorization: 'Bearer x' },
];

/** Spellings of addresses that are not below /open/, whatever an app makes of them. */
export const paths = [
  '/open/../secret',
  '/open/..%2fsecret',
  '/open/%2e%2e/secret',
  '/open/%2E%2E%2Fsecret',
  '/open/.%2e/secret',
  '/open/%252e%252e/secret',
  '/open/..;/secret',
  '/open/..\\secret',
  '/open/..%5csecret',
  '/open//../../secret',
  '/open%2f..%2fsecret',
  '//open/../secret',
  '/openly',
  '/OPEN/secret',
  '/open',
  '/secret/../open/../secret',
  '/secret?/open/',
  '/secret;/open/',
  '//secret',
  '/./secret',
  '/%73ecret',
];
