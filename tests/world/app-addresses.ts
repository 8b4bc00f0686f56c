/**
 * Addresses as apps send and as people register them: for answers, and for after a sign-out. `kept`
 * ones are registered and followed exactly as written; the others are refused with a sentence that
 * says what to write, or why not.
 */
export type AddressRow =
  | { address: string; from: string; kept: true }
  | { address: string; from: string; write: string }
  | { address: string; from: string; reason: RegExp };

const pattern = /It is a pattern\. .*list each one/;
const device = /loopback address .*device grant/;

export const appAddresses: readonly AddressRow[] = [
  { address: 'https://app.example.org:443/cb', from: 'Java apps behind a proxy', kept: true },
  { address: 'https://App.Example.org/cb', from: 'RFC 3986 section 6.2.2.1', kept: true },
  { address: 'HTTPS://app.example.org/cb', from: 'RFC 3986 section 6.2.2.1', kept: true },
  { address: 'https://app.example.org', from: 'RFC 3986 section 6.2.3', kept: true },
  { address: 'https://app.example.org?tenant=a', from: 'RFC 3986 section 6.2.3', kept: true },
  { address: 'https://app.example.org:/cb', from: 'RFC 3986 section 6.2.3', kept: true },
  { address: 'https://app.example.org//cb', from: 'root URL with a slash and a path', kept: true },
  { address: 'https://app.example.org/a%20b/%C3%BC', from: 'SharePoint', kept: true },
  { address: 'https://app.example.org/cb?b=2&a=1', from: 'WordPress plugins', kept: true },
  { address: 'https://app_1.example.org/cb', from: 'names of compose services', kept: true },
  { address: 'https://xn--bcher-kva.example/cb', from: 'RFC 5890', kept: true },
  { address: 'https://192.0.2.7:8123/auth/callback', from: 'Home Assistant', kept: true },
  { address: 'https://[2001:db8::7]/cb', from: 'RFC 3986 section 3.2.2', kept: true },
  { address: 'http://localhost:80/cb', from: 'nginx on a laptop', kept: true },
  { address: 'http://LOCALHOST:3000/cb', from: 'Windows host names', kept: true },
  { address: 'http://127.0.0.1', from: 'oidc-agent', kept: true },
  { address: 'msauth.com.Example.App://auth', from: 'MSAL for iOS', kept: true },
  { address: 'com.Example.App:/oauth2redirect', from: 'AppAuth', kept: true },
  { address: 'app.immich:///oauth-callback', from: 'Immich', kept: true },
  { address: 'oc://ios.owncloud.com', from: 'ownCloud for iOS', kept: true },
  { address: 'audiobookshelf://oauth', from: 'Audiobookshelf', kept: true },
  { address: 'exp://192.168.3.137:8081', from: 'Expo Go', kept: true },
  { address: 'exp+my-app://auth', from: 'Expo development builds', kept: true },
  { address: 'my-tauri-app://reddit-oauth', from: 'Tauri’s deep links', kept: true },
  { address: 'tauri://localhost', from: 'Tauri on macOS', kept: true },
  { address: 'vscode-insiders://vendor.ext/cb', from: 'extensions of VS Code', kept: true },
  { address: 'https://abcdef.chromiumapp.org/', from: 'extensions of Chromium', kept: true },
  { address: 'myapp:', from: 'RFC 3986 section 3: a scheme is enough', kept: true },
  {
    address: 'https://bücher.example/cb',
    from: 'IDNA 2008',
    write: 'https://xn--bcher-kva.example/cb',
  },
  {
    address: 'https://app.example.org/rückruf',
    from: 'RFC 3987 section 3.1',
    write: 'https://app.example.org/r%C3%BCckruf',
  },
  {
    address: 'https://app.example.org/a/../cb',
    from: 'RFC 3986 section 6.2.2.3',
    write: 'https://app.example.org/cb',
  },
  {
    address: 'https:app.example.org/cb',
    from: 'slashes left out',
    write: 'https://app.example.org/cb',
  },
  { address: 'https://app.example.org/*', from: 'Keycloak, authentik', reason: pattern },
  { address: 'https://*.example.org/cb', from: 'Keycloak, Auth0', reason: pattern },
  { address: 'https://app.example.org/cb?next=*', from: 'Keycloak', reason: pattern },
  { address: 'http://localhost:*/cb', from: 'Claude Code, VS Code', reason: pattern },
  { address: 'com.example.app://*', from: 'Keycloak', reason: pattern },
  { address: 'https://app.example.org/{tenant}/cb', from: 'ASP.NET routes', reason: pattern },
  { address: 'https://<host>/cb', from: 'instructions of many programs', reason: pattern },
  { address: '*', from: 'Keycloak', reason: pattern },
  { address: 'https://*/devhub/*', from: 'Keycloak realms', reason: pattern },
  { address: '<callback of the app>', from: 'instructions of ChatGPT', reason: pattern },
  { address: '/console/oauth/callback', from: 'The Things Stack', reason: /not an absolute URI/ },
  { address: 'urn:ietf:wg:oauth:2.0:oob', from: 'Mastodon clients', reason: device },
  { address: 'URN:ietf:wg:oauth:2.0:oob:auto', from: 'Google installed apps', reason: device },
  { address: 'file:///android_asset/cb.html', from: 'Cordova', reason: /scheme/ },
  { address: 'about:blank', from: 'pages without a server', reason: /scheme/ },
  { address: 'https://user@app.example.org/cb', from: 'RFC 3986 3.2.1', reason: /username/ },
  { address: 'app.example.org/cb', from: 'scheme left out', reason: /not an absolute URI/ },
  { address: 'https://app.example.org/#/cb', from: 'Angular', reason: /fragment/ },
  { address: 'javascript:alert(1)', from: 'RFC 9700 section 4.1', reason: /scheme/ },
];

/** Loopback addresses: what is registered, what the app sends, and which apps may (RFC 8252). */
export const loopbackPorts: readonly [
  registered: string,
  sent: string,
  who: 'all' | 'public' | 'none',
][] = [
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', 'all'],
  ['http://127.0.0.1:8000/cb', 'http://127.0.0.1/cb', 'all'],
  ['http://[::1]/cb', 'http://[::1]:61023/cb', 'all'],
  ['http://127.0.0.1', 'http://127.0.0.1:10000/', 'all'],
  ['http://127.0.0.1/', 'http://127.0.0.1:10000', 'all'],
  ['http://127.0.0.1/?a=1', 'http://127.0.0.1:10000?a=1', 'all'],
  ['http://localhost/cb', 'http://localhost:3118/cb', 'public'],
  ['http://localhost', 'http://LocalHost:3118/', 'public'],
  ['http://127.0.0.1/cb', 'http://localhost:3118/cb', 'none'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb/', 'none'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', 'none'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.example/cb', 'none'],
  ['http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb', 'none'],
  ['https://app.example.org/cb', 'https://app.example.org:8443/cb', 'none'],
  ['https://App.example.org/cb', 'https://app.example.org/cb', 'none'],
];

/** An API's identifier, and how clients write it as `resource`: whether that names the API. */
export const resourceSpellings: readonly [identifier: string, sent: string, same: boolean][] = [
  ['https://mcp.example.org', 'https://mcp.example.org:443', true],
  ['https://mcp.example.org', 'https://MCP.example.org:443/', true],
  ['https://mcp.example.org/mcp', 'https://mcp.example.org:443/mcp/', true],
  ['https://mcp.example.org:443/mcp', 'https://mcp.example.org/mcp', true],
  ['https://mcp.example.org/mcp?a', 'https://mcp.example.org:/mcp?a', true],
  ['https://[2001:db8::443]/mcp', 'https://[2001:db8::443]:443/mcp', true],
  ['http://127.0.0.1/mcp', 'http://127.0.0.1:80/mcp', true],
  ['https://mcp.example.org', 'https://mcp.example.org:8443', false],
  ['https://mcp.example.org', 'https://mcp.example.org:80', false],
  ['https://[2001:db8::443]', 'https://[2001:db8:]', false],
  ['http://127.0.0.1/mcp', 'http://127.0.0.1:443/mcp', false],
  ['app://mcp.example.org', 'app://mcp.example.org:443', false],
  ['urn:example:mcp', 'urn:example:mcp:443', false],
];

/**
 * Addresses of metadata documents, which are the client_ids of their apps: whether they may be used
 * (null), what to write in place of them, or why not (draft-ietf-oauth-client-id-metadata-document).
 */
export const documentAddresses: readonly [client_id: string, write: string | RegExp | null][] = [
  ['https://app.client.test/oauth/client.json', null],
  ['https://app.client.test/', null],
  ['https://app.client.test/a?v=2', null],
  ['https://app.client.test/a%20b', null],
  ['https://app.client.test', 'https://app.client.test/'],
  ['https://App.client.test/app.json', 'https://app.client.test/app.json'],
  ['HTTPS://app.client.test/app.json', 'https://app.client.test/app.json'],
  ['https://app.client.test:443/app.json', 'https://app.client.test/app.json'],
  ['https://app.client.test/a/../app.json', 'https://app.client.test/app.json'],
  ['https://app.client.test/./app.json', 'https://app.client.test/app.json'],
  ['https://bücher.client.test/app.json', 'https://xn--bcher-kva.client.test/app.json'],
  ['https://app.client.test/app.json#a', /fragment/],
  ['https://ann@app.client.test/app.json', /username/],
  ['http://app.client.test/app.json', /There is no client/],
];
