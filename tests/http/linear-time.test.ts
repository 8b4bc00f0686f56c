import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findTarget } from '#app/mounts.ts';
import { nearestAddress } from '#app/unknown-address.ts';
import { senderOf } from '#lib/http/address.ts';
import { readBodyParams, readFormFields, readQueryParams } from '#lib/http/body.ts';
import { type HttpRequest, nothingKnown, readCookie } from '#lib/http/message.ts';
import { parseMultipart } from '#lib/http/multipart.ts';
import { splitTarget } from '#lib/http/node.ts';
import { isOwnOrigin, openedAt, postedFrom } from '#lib/http/opened-at.ts';
import { readUpload } from '#lib/http/upload.ts';
import { checkAccount } from '#lib/identity/accounts.ts';
import { deviceOf } from '#lib/identity/device.ts';
import { recoveryCodeHash } from '#lib/identity/recovery-codes.ts';
import { stepOfCode } from '#lib/identity/totp.ts';
import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { headerText, writeHtml, writeText } from '#lib/mail/write.ts';
import { judgeRedirectUri } from '#lib/management/addresses.ts';
import { chooseLocale } from '#lib/messages/choose-locale.ts';
import { askedAcr } from '#lib/oauth/acr.ts';
import { readBearerToken } from '#lib/oauth/bearer.ts';
import { parseAskedClaims, storedClaims } from '#lib/oauth/claims.ts';
import { readClientCredentials } from '#lib/oauth/client-auth.ts';
import { documentIdFault, freshSeconds, readClientDocument } from '#lib/oauth/client-document.ts';
import { linkFault } from '#lib/oauth/client-links.ts';
import { readJwtClaims } from '#lib/oauth/jwt-access-token.ts';
import { redirectUriFault, withParams } from '#lib/oauth/redirect-uri.ts';
import { checkResources } from '#lib/oauth/resource.ts';
import { parseScope } from '#lib/oauth/scope.ts';
import { browserOf } from '#lib/sealed/browser.ts';
import { parseSetting } from '#lib/settings/table.ts';
import { likePattern, readCursor, storable } from '#lib/store/engine/page.ts';
import { nameKeys } from '#lib/store/users.ts';
import { growsFaster, processorTime } from '../support/linear.ts';

/**
 * What makes a careless parser backtrack: pieces to repeat, with an ending that keeps anything from
 * matching.
 */
const pieces = [
  ' ',
  '/',
  '\\',
  '"',
  '\\"',
  '""',
  ':',
  ';',
  ',',
  '.',
  '-',
  '_',
  '@',
  '%',
  '=',
  '&',
  '+',
  'a',
  'A',
  '0',
  'é',
  '\t',
  '\n',
  '\r\n',
  '<',
  '>',
  '[',
  '{',
  '{"',
  '[[',
  '$',
  '#',
  '?',
  '!',
  'a.',
  'a-',
  'a:',
  '::',
  'a@',
  'a=',
  'a&',
  'a;',
  'a,',
  'a ',
  'a/',
  '/a',
  '%2f',
  '%25',
  '=?',
  '\u2068',
  'aa\n',
  'http://',
  '127.',
  'q=0,',
  '{"a":',
  '--',
  '--x\r\n',
  'ﷺ',
  '\ufffd',
  '1:',
];
const openings = ['', '"', 'a', '/a', '{"a":"', '{"a', 'http://', 'mailto:', 'Basic ', 'Bearer '];
const endings = ['', '!'];

type Maker = (length: number) => string;
/** Texts of any length, each made of one piece between an opening and an ending. */
const makers: Maker[] = pieces.flatMap((piece) =>
  openings.flatMap((opening) =>
    endings.map(
      (ending) => (length: number) =>
        opening + piece.repeat(Math.ceil(length / piece.length)) + ending,
    ),
  ),
);
const probes = makers.map((make) => ({ make, short: make(2 * 1024), long: make(16 * 1024) }));
/**
 * In milliseconds. A text that takes longer on 2 KB is tried on 16 KB. One step per pair of
 * characters takes ten times as long.
 */
const noticed = 0.125;
/** What takes longer than this on 16 KB is measured again with longer texts. */
const suspicious = 8;

/**
 * The texts for which the work takes more than linear time. A refusal is a good answer; only the
 * time counts.
 */
async function slowOn(work: (text: string) => unknown): Promise<string[]> {
  const quietly = async (text: string) => {
    try {
      await work(text);
    } catch {}
  };
  const timeOn = async (text: string) => {
    const start = processorTime();
    await quietly(text);
    return processorTime() - start;
  };
  const slow: string[] = [];
  for (const { make, short, long } of probes) {
    if ((await timeOn(short)) < noticed || (await timeOn(long)) < suspicious) continue;
    const texts = new Map([4, 8, 16, 32, 64].map((kilo) => [kilo * 1024, make(kilo * 1024)]));
    if (await growsFaster((length) => quietly(texts.get(length) ?? make(length))))
      slow.push(`${make(8)} …`);
    if (slow.length > 0) break;
  }
  return slow;
}

/** Regular expression literals in a source file. */
const literal =
  /(?<=[(,=:[!&|?{;]\s*|\breturn\s+)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

/**
 * Repetition, unlimited or up to a maximum. Patterns without it take only a few steps at each
 * character.
 */
const repeats = /[*+]|\{\d+,/;

/** Code that reads only the operator's own text, at the start or on the command line. */
const operatorsOnly = /^lib\/(config\.ts|cli|tooling|package|demo)/;

describe('every regular expression in the sources runs in linear time', () => {
  const patterns = new Map<string, RegExp>();
  for (const file of globSync(['lib/**/*.ts', 'app/**/*.{ts,tsx}', 'proxy.ts']).sort())
    for (const [source, body = '', flags] of readFileSync(file, 'utf8').matchAll(literal))
      if (!operatorsOnly.test(file) && repeats.test(body))
        patterns.set(`${file}: ${source}`, new RegExp(body, flags));

  test('the regular expressions are found', () => {
    expect(patterns.size).toBeGreaterThan(100);
  });

  test.each([...patterns])('%s', async (_, pattern) => {
    expect(await slowOn((text) => text.replace(pattern, ''))).toEqual([]);
  });

  test('a quadratic one is detected', async () => {
    expect(await slowOn((text) => /^\/+|\/+$/g[Symbol.replace](text, ''))).not.toEqual([]);
  });
});

const requestOf = (text: string, type = 'application/x-www-form-urlencoded', name = '') =>
  ({
    method: 'POST',
    path: '/',
    query: text,
    header: (asked) =>
      asked === 'content-type' ? type : !name || asked === name ? text : undefined,
    repeatsAuthorization: () => false,
    about: nothingKnown(),
    body: async () => Buffer.from(text),
    address: '192.0.2.1',
    isShared: false,
    id: 'x',
  }) satisfies HttpRequest;
const multipart = (text: string, limit = 'x') =>
  `--${limit}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${text}\r\n--${limit}--`;
/** As long as the parser requires at least. */
const boundary = 'x'.repeat(30);
const none = new Map<string, string[]>();
const loose = { refuseUnknownResource: false };
const sheet = (text: string) => ({
  heading: text,
  paragraphs: [text],
  // They are written in the same way as paragraphs.
  notes: [],
  locale: 'en' as const,
});

/** An object of about this length, with many names. */
const namesOf = (length: number) =>
  Object.fromEntries(Array.from({ length: length / 8 }, (_, index) => [`n${index}`, null]));

/** A document in which every text is this one. */
const clientDocument = (text: string) =>
  JSON.stringify({
    client_id: 'https://a.test/',
    redirect_uris: ['https://a.test/cb'],
    client_name: text,
    client_uri: `https://${text}`,
  });

describe('every parser runs in linear time', () => {
  test.each<[string, (text: string) => unknown]>([
    ['form body', (text) => readBodyParams(requestOf(text))],
    ['JSON body', (text) => readBodyParams(requestOf(text, 'application/json'))],
    [
      'JSON body: one value',
      (text) =>
        readBodyParams(requestOf(JSON.stringify({ grant_type: text, b: 'x' }), 'application/json')),
    ],
    ['form fields', (text) => readFormFields(requestOf(text))],
    ['query', (text) => readQueryParams(requestOf(text))],
    ['upload', (text) => readUpload(requestOf(text, 'multipart/form-data; boundary=x'))],
    [
      'upload: a part',
      (text) => readUpload(requestOf(multipart(text), 'multipart/form-data; boundary=x')),
    ],
    [
      'upload: its boundary',
      (text) => readUpload(requestOf(multipart('a'), `multipart/form-data; boundary=${text}`)),
    ],
    [
      'multipart body',
      (text) => parseMultipart(Buffer.from(text), `multipart/form-data; boundary=${boundary}`),
    ],
    [
      'multipart body: a part',
      (text) =>
        parseMultipart(
          Buffer.from(multipart(text, boundary)),
          `multipart/form-data; boundary=${boundary}`,
        ),
    ],
    [
      'multipart body: headers of a part',
      (text) =>
        parseMultipart(
          Buffer.from(`--${boundary}\r\n${text}\r\n\r\na\r\n--${boundary}--\r\n`),
          `multipart/form-data; boundary=${boundary}`,
        ),
    ],
    [
      'multipart body: its boundary',
      (text) =>
        parseMultipart(Buffer.from(multipart('a')), `multipart/form-data; boundary=${text}`),
    ],
    ['content type', (text) => readBodyParams(requestOf('a', text))],
    ['request line', (text) => splitTarget(`/${text}`)],
    ['path', (text) => findTarget(`/${text}`, '')],
    ['path, decoded', (text) => findTarget(`/a${encodeURIComponent(text)}b`, '')],
    ['second path form', (text) => findTarget('/oauth', text)],
    ['unknown path', (text) => nearestAddress(`/oauth/${text}`)],
    [
      'Cookie',
      (text) => readCookie(requestOf('', '', 'x'), text) ?? readCookie(requestOf(text), 'x'),
    ],
    ['browser cookie', (text) => browserOf(requestOf(`gatehouse-browser=${text}`))],
    ['Origin', (text) => isOwnOrigin(text)],
    ['Origin of a post', (text) => postedFrom(() => text)],
    ['Host, Referer and forwarded hosts', (text) => openedAt(() => text, 3000)],
    ['Forwarded', (text) => openedAt((name) => (name === 'forwarded' ? text : undefined), 3000)],
    ['User-Agent', (text) => deviceOf(text)],
    ['Accept-Language', (text) => chooseLocale({ acceptLanguage: text })],
    ['ui_locales', (text) => chooseLocale({ uiLocales: text, profile: text })],
    ['X-Forwarded-For', (text) => senderOf('127.0.0.1', text)],
    ['Authorization: Basic', (text) => readClientCredentials(none, text)],
    [
      'Authorization: Basic, decoded',
      (text) => readClientCredentials(none, `Basic ${Buffer.from(text).toString('base64')}`),
    ],
    ['Authorization: Bearer', (text) => readBearerToken(text, none, none, false)],
    ['scope', parseScope],
    ['resource', (text) => checkResources([text], { id: 'c', origin: 'admin' }, [], loose)],
    ['claims of a JWT', (text) => readJwtClaims({ jti: text, aud: text, scope: text })],
    ['claims', parseAskedClaims],
    ['acr_values', (text) => askedAcr(text, undefined)],
    ['redirect_uri', redirectUriFault],
    ['redirect_uri, registered', judgeRedirectUri],
    ['redirect_uri with an answer', (text) => withParams(text, { code: 'x' })],
    ['link', linkFault],
    ['back', safeReturnTo],
    ['one-time code', (text) => stepOfCode('JBSWY3DPEHPK3PXP', text, new Date())],
    ['recovery code', (text) => recoveryCodeHash('x', text)],
    [
      'account',
      (text) => checkAccount({ username: text, email: text, name: text, password: text }),
    ],
    [
      'e-mail address',
      (text) =>
        checkAccount({ username: 'a', email: `${text}@example.org`, name: '', password: '' }),
    ],
    [
      'profile',
      (text) =>
        storedClaims.safeParse({
          website: text,
          birthdate: text,
          locale: text,
          zoneinfo: text,
          phone_number: text,
        }),
    ],
    ['document hosts', (text) => parseSetting('clientDocumentHosts', text)],
    ['document address', (text) => documentIdFault(`https://${text}`)],
    ['document', (text) => readClientDocument('https://a.test/', clientDocument(text))],
    ['Cache-Control', (text) => freshSeconds(text, text)],
    ['registration domains', (text) => parseSetting('registrationDomains', text)],
    [
      'search',
      (text) => [storable(text), likePattern(text), readCursor(text, { kinds: ['text'] })],
    ],
    ['name', nameKeys],
    ['mail header', headerText],
    ['mail', (text) => [writeText(sheet(text) as never), writeHtml(sheet(text) as never)]],
  ])('%s', async (_, parse) => {
    expect(await slowOn(parse)).toEqual([]);
  });

  test('claims: names', async () => {
    const parse = (length: number) => {
      try {
        parseAskedClaims(JSON.stringify({ userinfo: namesOf(length) }));
      } catch {}
    };
    expect(await growsFaster(parse)).toBe(false);
  });
});
