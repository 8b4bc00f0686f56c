import type { Random } from './random.ts';

/** Values that parsers, databases and templates have stumbled over. */
const words = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '{"a":',
  '"',
  "'",
  '\\',
  '`',
  '__proto__',
  'constructor',
  'toString',
  'then',
  'hasOwnProperty',
  '$ACTION_KEY',
  '$1',
  '$F1',
  '\0',
  'a\0b',
  '\ufffd',
  '\ud800',
  '\u202e',
  '\u2068',
  'ﷺ',
  '＠',
  'é',
  '😀',
  '\r\nSet-Cookie: a=b',
  '../../etc/passwd',
  '//evil.example',
  'javascript:alert(1)',
  '<script>',
  '$(7)',
  '{{7*7}}',
  "' OR 1=1--",
  '%',
  '_',
  '%00',
  '%ff',
  '%2f',
  '%zz',
  '9999-99-99',
  '1970-01-01',
  '99999999999999999999',
  'https://evil.example/',
  'http://127.0.0.1:1/',
  'a@b',
  'a@b.example',
  'openid profile',
  'S256',
];
const long = [300, 4097, 8300, 20_000];

/** A text that an attacker might send. */
function hostileText(random: Random): string {
  if (random.often(4))
    return random.pick(['a', '"', '%', '/', 'é', '[', '\\"']).repeat(random.pick(long));
  if (random.often(10)) return random.some(words, 4).join('');
  return random.pick(words);
}

/** Names that mean something to some endpoint or page. */
const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'prompt',
  'code_challenge_method',
  'claims',
  'max_age',
  'ui_locales',
  'login_hint',
  'id_token_hint',
  'response_mode',
  'nonce',
  'request',
  'request_uri',
  'registration',
  'acr_values',
  'display',
  'grant_type',
  'device_code',
  'user_code',
  'code',
  'refresh_token',
  'client_secret',
  'code_verifier',
  'token',
  'oauth',
  '',
  'token_type_hint',
  'access_token',
  'flow',
  'back',
  'csrf',
  'username',
  'password',
  'decision',
  'email',
  'name',
  'post_logout_redirect_uri',
  'client',
  'cursor',
  'after',
  'q',
  'type',
  'sort',
  'status',
  'from',
  'to',
  'actor',
  'user',
  'kind',
  'page',
  '_rsc',
  '__proto__',
  'constructor',
];
const values = [
  'code',
  'S256',
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  'none',
  'openid',
];

/** Parameters that are JWTs, and those that are JSON. */
const jwtNames = [
  'client_assertion',
  'assertion',
  'subject_token',
  'logout_token',
  'id_token_hint',
];
const jsonNames = ['claims', 'credential'];
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Parameters in the order they are sent, not yet encoded. */
export function hostilePairs(random: Random): [string, string][] {
  const count = random.often(4) ? random.pick([64, 65, 300]) : random.below(7);
  const pairs = Array.from({ length: count }, (): [string, string] => {
    const name = random.often(8) ? hostileText(random) : random.pick([...names, ...jsonNames]);
    return [name, hostileValue(random, name)];
  });
  if (random.often(10)) pairs.push([random.pick(jwtNames), hostileJwt(random)]);
  if (random.often(10))
    pairs.push(['client_assertion_type', assertionType], ['client_assertion', hostileJwt(random)]);
  return pairs;
}

function hostileValue(random: Random, name: string): string {
  if (jsonNames.includes(name) && random.often(60)) return JSON.stringify(hostileObject(random));
  return random.often(25) ? random.pick(values) : hostileText(random);
}

const members = ['iss', 'sub', 'aud', 'jti', 'sid', 'client_id', 'scope', 'userinfo', 'id_token'];

/** JSON can contain characters that a form cannot: `"\u0000"`. */
function hostileObject(random: Random, depth = 2): Record<string, unknown> {
  const value = () => (depth > 0 && random.often(20) ? hostileObject(random, depth - 1) : text());
  const text = () => hostileText(random).slice(0, 300);
  return Object.fromEntries(random.some(members, 6).map((name) => [name, value()]));
}

/** A JWT without a valid signature. */
function hostileJwt(random: Random): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const alg = random.pick(['ES256', 'RS256', 'PS256', 'none', hostileText(random)]);
  return `${part({ alg })}.${part({ exp: Date.now() / 1000 + 60, ...hostileObject(random) })}.AA`;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** The pairs as a query or a form body, occasionally with invalid escapes. */
export function encodePairs(random: Random, pairs: readonly [string, string][]): string {
  const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  if (random.often(6))
    return `${text}&${random.pick(['%ff=1', 'a=%zz', '=&=&&', 'a', '%', 'a=%00'])}`;
  return random.often(2) ? Array(9000).fill('a=').join('&') : text;
}

/** A path, occasionally spelled unusually. */
export function hostilePath(random: Random, path: string): string {
  if (random.often(80)) return path;
  const at = random.below(path.length) + 1;
  const odd = [
    '%00',
    '%ff',
    '%2f',
    '%252f',
    '/',
    '//',
    ';x',
    '.',
    '/..',
    '%2e',
    '\\',
    '%',
    ' ',
    '%c0%af',
  ];
  const piece = random.often(3) ? 'a'.repeat(9000) : random.pick(odd);
  return path.slice(0, at) + piece + path.slice(at);
}

/** A value for `[clientId]` and the like: text that a browser could send in a path. */
export function hostileSegment(random: Random): string {
  return encode(hostileText(random).slice(0, 2000)) || 'x';
}

const headerValues: Record<string, readonly string[]> = {
  'Accept-Language': ['de', 'x', '*', `${'a-'.repeat(3000)}`, 'de;q=1,'.repeat(800), '\xff'],
  Accept: ['text/html', 'text/x-component', '*/*', 'application/json', 'x'],
  Authorization: [
    'Basic',
    'Basic !',
    'Basic YTpi',
    'Bearer',
    'Bearer x',
    `Bearer ${'a'.repeat(9000)}`,
    'x',
  ],
  Origin: ['null', 'https://evil.example', 'x', ''],
  'Sec-Fetch-Site': ['cross-site', 'none', 'same-origin', 'x'],
  Referer: ['https://evil.example/', 'x', '/', 'http://localhost/?flow=%ff'],
  RSC: ['1', 'x'],
  'Next-Router-State-Tree': [
    'x',
    '%5B%5D',
    '%ff',
    '%5B%22%22%2C%7B%7D%5D',
    '[[[[',
    '%5B%22%22%2C5%5D',
    '{}',
  ],
  'Next-Router-Prefetch': ['1', '2', 'x'],
  'Next-Router-Segment-Prefetch': ['/_tree', '/_full', 'x', '/../..', '%ff'],
  'Next-Url': ['/', '//x', '%ff', 'x'],
  'Next-Action': ['x', 'a'.repeat(42), '', '__proto__'],
  'X-Forwarded-For': ['1.2.3.4', 'x', '::', '1.2.3.4,'.repeat(2000), '127.0.0.1'],
  'X-Forwarded-Host': ['evil.example', ''],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-Middleware-Subrequest': ['proxy', 'proxy:proxy:proxy:proxy:proxy'],
  'X-Nextjs-Data': ['1'],
  'X-Invoke-Path': ['/admin'],
  'X-Invoke-Output': ['/admin'],
  'X-Matched-Path': ['/admin'],
  'X-Prerender-Revalidate': ['x'],
  'X-Gatehouse-Page': ['/admin'],
  'User-Agent': ['', 'x', 'Mozilla/5.0 '.repeat(500), '\xff'],
  Range: ['bytes=0-1', 'bytes=-1', 'x'],
  'If-None-Match': ['*', 'x'],
  'If-Modified-Since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'Accept-Encoding': ['gzip', 'br', 'x', ''],
  Upgrade: ['h2c', 'x'],
  Host: ['evil.example', '', 'a b', '[::1', 'localhost:99999'],
  Cookie: ['x', '=', 'a=b;'.repeat(3000), 'a=%ff', `a=${'b'.repeat(9000)}`, '__proto__=1'],
};

/** Header lines: none, a few, or hundreds. */
export function hostileHeaders(random: Random): string[] {
  if (random.often(2)) return Array.from({ length: 900 }, (_, index) => `X-${index}: 1`);
  return random
    .some(Object.keys(headerValues), random.often(50) ? 0 : 4)
    .map((name) => `${name}: ${random.pick(headerValues[name] ?? [''])}`);
}

export type Body = { type: string; bytes: Buffer };

const types = [
  'application/x-www-form-urlencoded',
  'application/json',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  '',
  'application/json; charset=x',
  'x',
  'multipart/mixed',
];

/** A form as a browser would send it, with some fields changed, doubled or missing. */
export function formBody(random: Random, fields: Record<string, string>, multipart: boolean): Body {
  const pairs = Object.entries(fields)
    .filter(() => random.often(93))
    .map(([name, value]): [string, string] => [
      random.often(3) ? hostileText(random) : name,
      random.often(name === 'csrf' || name.startsWith('$') ? 5 : 40) ? hostileText(random) : value,
    ]);
  if (random.often(15)) pairs.push(...hostilePairs(random));
  return multipart
    ? multipartBody(random, pairs)
    : { type: types[0] ?? '', bytes: Buffer.from(encodePairs(random, pairs)) };
}

function multipartBody(random: Random, pairs: readonly [string, string][]): Body {
  const part = ([name, value]: readonly [string, string]) => {
    const file = random.often(5) ? `; filename="${random.pick(['a.png', '', '../x', '"'])}"` : '';
    return `--x\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${file}\r\n\r\n${value}\r\n`;
  };
  const text = `${pairs.map(part).join('')}--x--\r\n`;
  const cut = random.often(4) ? text.slice(0, random.below(text.length)) : text;
  return { type: 'multipart/form-data; boundary=x', bytes: Buffer.from(cut) };
}

/** A body of any kind. */
export function hostileBody(random: Random): Body {
  const pairs = hostilePairs(random);
  const kinds: (() => Body)[] = [
    () => ({ type: types[0] ?? '', bytes: Buffer.from(encodePairs(random, pairs)) }),
    () => ({
      type: 'application/json',
      bytes: Buffer.from(JSON.stringify(Object.fromEntries(pairs))),
    }),
    () => ({
      type: 'application/json',
      bytes: Buffer.from(`{"a":"${'\\"'.repeat(random.pick(long))}"}`),
    }),
    () => ({ type: 'application/json', bytes: Buffer.from('['.repeat(random.pick(long))) }),
    () => multipartBody(random, pairs),
    () => ({ type: random.pick(types), bytes: Buffer.from(hostileText(random)) }),
    () => ({
      type: random.pick(types),
      bytes: Buffer.alloc(random.pick([1, 70_000, 200_000]), 0xff),
    }),
    () => ({ type: random.pick(types), bytes: Buffer.from(encodePairs(random, pairs)) }),
  ];
  return random.pick(kinds)();
}
