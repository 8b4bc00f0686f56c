/*
 * What proxies, browsers and attackers write in the questions about guarded sites. Every address
 * below /proxy/verify runs over these tables.
 */

/** How the host of https://app.example.org may be spelt, and by whom. */
export const sameHost: readonly (readonly [why: string, host: string])[] = [
  ['as it is', 'app.example.org'],
  ['old links in capitals', 'APP.Example.ORG'],
  ['a whole domain name', 'app.example.org.'],
  ['HAProxy and WebSocket clients name the default port', 'app.example.org:443'],
  ['both', 'App.example.org.:443'],
];

/** What looks like it and is another host, or none. */
export const otherHosts: readonly (readonly [why: string, host: string])[] = [
  ['another port', 'app.example.org:8443'],
  ['a longer domain', 'app.example.org.evil.example'],
  ['a longer name', 'evilapp.example.org'],
  ['a sibling', 'other.example.org'],
  ['the parent', 'example.org'],
  ['user information', 'app.example.org@evil.example'],
  ['user information, turned', 'evil.example@app.example.org'],
  ['a path', 'evil.example/app.example.org'],
  ['a backslash', 'evil.example\\app.example.org'],
  ['an escape', '%61pp.example.org'],
  ['a query', 'evil.example?app.example.org'],
  ['a fragment', 'evil.example#app.example.org'],
  ['two, joined as Node.js does', 'app.example.org, app.example.org'],
  ['two, the first foreign', 'evil.example, app.example.org'],
  ['two dots at the end', 'app.example.org..'],
  ['a blank', 'app.example.org evil.example'],
];

/** Paths where /open and /ö are open, and whether each is. */
export const paths: readonly (readonly [path: string, isOpen: boolean])[] = [
  ['/open', true],
  ['/open/', true],
  ['/open/a/b.css', true],
  ['/open?next=/secret', true],
  ['/%6fpen/a', true],
  ['/%C3%B6/a', true],
  ['/opened', false],
  ['/open.', false],
  ['/Open/a', false],
  ['/secret', false],
  ['/secret?/open/', false],
  ['/secret/open/', false],
  ['/open/../secret', false],
  ['/open/..', false],
  ['/open/./a', false],
  ['/open/%2e%2e/secret', false],
  ['/open/.%2e/secret', false],
  ['/open/%252e%252e/secret', false],
  ['/open/..%2fsecret', false],
  ['/open%2f..%2fsecret', false],
  ['/open%2Fa', false],
  ['/open/..;/secret', false],
  ['/open;a=b/secret', false],
  ['/open//secret', false],
  ['//open/a', false],
  ['/open/a\\..\\secret', false],
  ['/open/%5c..%5csecret', false],
  ['/open/%00', false],
  ['/open/%', false],
  ['/open/%ff', false],
  ['/open/%E2%80%AE', false],
  ['/open/%0a', false],
];

/** Names that a visitor may send to pass for someone, in the spelling of many programs. */
export const forgedNames =
  `Remote-User REMOTE-USER remote-groups Remote-Email Remote-Name Remote-Sub
  X-Auth-Request-User X-Auth-Request-Email X-Auth-Request-Groups X-Auth-Request-Preferred-Username X-Gatehouse-Jwt X-WEBAUTH-USER`.split(
    /\s+/,
  );

/** Headers of another kind of proxy, which a visitor may have sent. None of them is read. */
export const ofOtherKinds: Readonly<Record<string, string>> = {
  forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
  'x-original-uri': '/open/a',
  'x-original-host': 'evil.example',
  'x-rewrite-url': '/open/a',
  'x-http-method-override': 'OPTIONS',
};

/** Methods that are none. */
export const noMethods = ['get', 'GET, POST', 'GET /', '', 'G\u00c9T', 'A'.repeat(40)];

/** Cookies that prove nothing. `{good}` is the text of a cookie of the same person and site. */
export const badCookies: readonly (readonly [why: string, cookie: string])[] = [
  ['none', ''],
  ['empty', '__Host-gh_site='],
  ['no token', '__Host-gh_site=x'],
  ['cut off', '__Host-gh_site={cut}'],
  ['longer', '__Host-gh_site={good}A'],
  ['quoted', '__Host-gh_site="{good}"'],
  ['escaped', '__Host-gh_site=%67h_st_{good}'],
  ['with a null', '__Host-gh_site={good}%00'],
  ['without the prefix, as other hosts can plant it', 'gh_site={good}'],
  ['in capitals', '__HOST-GH_SITE={good}'],
  ['of another name', 'x__Host-gh_site={good}'],
  ['with a broken one before it', '__Host-gh_site=x; __Host-gh_site={good}'],
  ['long', `__Host-gh_site=gh_st_${'A'.repeat(4000)}`],
  ['prototype', '__Host-gh_site=__proto__'],
  ['no pair', '__Host-gh_site'],
];
