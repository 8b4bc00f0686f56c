import { describe, expect, test } from 'vitest';
import { credentials, post, readAnswer, tokensOf } from '../support/app.ts';
import { nextDecides } from '../support/next-differences.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, newPerson, Person } from '../support/person.ts';
import { send } from '../support/raw.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();
const uri = 'https://app.example/cb';
const [client, loopback, queried, none, person] = await Promise.all([
  newClient({ redirectUris: [uri] }),
  newClient({
    redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:4000/cb', 'http://localhost:5000/cb'],
  }),
  newClient({ redirectUris: ['https://app.example/cb?a=1&b=2'] }),
  newClient({ redirectUris: [] }),
  newPerson(server),
]);
await person.authorize({ client_id: client.id, response_type: 'code' });
const onNext = server.mount === 'next';

/** The answer to an authorization request whose query is sent unchanged. */
const ask = (query: string, id = client.id) =>
  person.request(`/oauth/authorize?client_id=${id}&response_type=code&${query}`);
const asIs = (query: string, id = client.id) =>
  send(server.port, `GET /oauth/authorize?client_id=${id}&response_type=code&${query} HTTP/1.1`);

async function expectRefused(response: { status: number; headers: Headers }): Promise<void> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
}

describe('redirect_uri of a client with one registered address: only that one, byte for byte', () => {
  test.each([
    ['suffix', `${uri}x`],
    ['suffix behind a slash', `${uri}/`],
    ['longer path', `${uri}/../evil`],
    ['prefix', 'https://app.example/c'],
    ['no path', 'https://app.example'],
    ['other case of the path', 'https://app.example/CB'],
    ['other case of the host', 'https://APP.example/cb'],
    ['other case of the scheme', 'HTTPS://app.example/cb'],
    ['other scheme', 'http://app.example/cb'],
    ['default port spelled out', 'https://app.example:443/cb'],
    ['other port', 'https://app.example:8443/cb'],
    ['empty port', 'https://app.example:/cb'],
    ['user information', 'https://app.example@evil.example/cb'],
    ['empty user information', 'https://@app.example/cb'],
    ['user and password', 'https://u:p@app.example/cb'],
    ['sub-domain', 'https://evil.app.example/cb'],
    ['host as prefix', 'https://app.example.evil.example/cb'],
    ['trailing dot', 'https://app.example./cb'],
    ['traversal', 'https://app.example/x/../cb'],
    ['encoded traversal', 'https://app.example/x/%2e%2e/cb'],
    ['double encoded traversal', 'https://app.example/x/%252e%252e/cb'],
    ['encoded letter', 'https://app.example/%63b'],
    ['double slash', 'https://app.example//cb'],
    ['backslash', 'https://app.example\\cb'],
    ['backslash before the host', 'https:\\\\app.example/cb'],
    ['backslash and user information', 'https://evil.example\\@app.example/cb'],
    ['no scheme', '//app.example/cb'],
    ['a path of ours', '/cb'],
    ['three slashes', 'https:///app.example/cb'],
    ['one slash', 'https:/app.example/cb'],
    ['fragment', `${uri}#x`],
    ['empty fragment', `${uri}#`],
    ['encoded fragment', `${uri}%23x`],
    ['query', `${uri}?x=1`],
    ['empty query', `${uri}?`],
    ['parameter pollution', `${uri}?code=stolen`],
    ['parameters by semicolon', `${uri};x=1`],
    ['leading space', ` ${uri}`],
    ['trailing space', `${uri} `],
    ['tab inside', 'https://app.exa\tmple/cb'],
    ['line end inside', 'https://app.example/c\nb'],
    ['carriage return and a header', `${uri}\r\nSet-Cookie: a=b`],
    ['DEL', `${uri}\u007f`],
    ['zero-width space', `${uri}\u200b`],
    ['byte order mark', `\ufeff${uri}`],
    ['look-alike letter', 'https://аpp.example/cb'],
    ['full-width dot', 'https://app\uff0eexample/cb'],
    ['full-width slash', 'https://app.example\uff0fcb'],
    ['punycode of a look-alike', 'https://xn--pp-7jc.example/cb'],
    ['scheme javascript', 'javascript:alert(1)'],
    ['scheme data', 'data:text/html,x'],
    ['two addresses', `${uri} https://evil.example/`],
    ['two addresses by comma', `${uri},https://evil.example/`],
    ['5 kB', `${uri}?${'x'.repeat(5000)}`],
    ['not a URI', 'nonsense'],
  ])('refused: %s', async (_, sent) => {
    await expectRefused(await ask(`redirect_uri=${encodeURIComponent(sent)}`));
  });

  test.each([
    ['itself', uri],
    ['empty, which counts as omitted', ''],
  ])('accepted: %s', async (_, sent) => {
    const response = await ask(`redirect_uri=${encodeURIComponent(sent)}`);
    expect(response.headers.get('location')).toMatch(`${uri}?code=`);
  });

  test('refused: repeated, or with an encoded name', async () => {
    await expectRefused(await ask(`redirect_uri=${uri}&redirect_uri=${uri}`));
    await expectRefused(await ask(`redirect_uri=${uri}&redirect%5furi=https://evil.example/`));
    await expectRefused(await ask(`redirect%5Furi=https://evil.example/`));
  });

  test('ignored: a name with brackets or a suffix', async () => {
    const response = await ask(
      'redirect_uri[]=https://evil.example/&redirect_uri.x=https://evil.example/',
    );
    expect(response.headers.get('location')).toMatch(`${uri}?code=`);
  });

  test('refused: 1 MB in the request line', async () => {
    const { status } = await asIs(`redirect_uri=${uri}?${'x'.repeat(1024 * 1024)}`);
    expect([400, 414, 431]).toContain(status);
  });

  test('refused: 1 MB in a POST', async () => {
    const body = `client_id=${client.id}&response_type=code&redirect_uri=${uri}?${'x'.repeat(1024 * 1024)}`;
    const response = await person.request('/oauth/authorize', { method: 'POST', body });
    expect([400, 413]).toContain(response.status);
    expect(response.headers.get('location')).toBeNull();
  });
});

describe('redirect_uri: the port of a loopback address (RFC 8252 section 7.3)', () => {
  test.each([
    ['http://127.0.0.1/cb', true],
    ['http://127.0.0.1:1234/cb', true],
    ['http://127.0.0.1:65535/cb', true],
    ['http://[::1]/cb', true],
    ['http://[::1]:4001/cb', true],
    ['http://localhost:5000/cb', true],
    ['http://localhost:5001/cb', false],
    ['http://localhost/cb', false],
    ['http://127.0.0.1:65536/cb', false],
    ['http://127.0.0.1:/cb', false],
    ['http://127.0.0.1:1234/cb/', false],
    ['http://127.0.0.1:1234/CB', false],
    ['http://127.0.0.1:1234/cb?x', false],
    ['http://127.0.0.1:1234@evil.example/cb', false],
    ['http://127.0.0.1:1234.evil.example/cb', false],
    ['http://127.0.0.2:1234/cb', false],
    ['http://127.1:1234/cb', false],
    ['http://2130706433:1234/cb', false],
    ['http://[0:0:0:0:0:0:0:1]:4001/cb', false],
    ['https://127.0.0.1:1234/cb', false],
  ])('%s: %s', async (sent, right) => {
    const response = await ask(`redirect_uri=${encodeURIComponent(sent)}`, loopback.id);
    if (right) expect(response.headers.get('location')).toMatch(/^\/consent\?flow=/);
    else await expectRefused(response);
  });
});

describe('redirect_uri with a registered query', () => {
  test.each([
    ['https://app.example/cb?a=1&b=2', true],
    ['https://app.example/cb?b=2&a=1', false],
    ['https://app.example/cb?a=1', false],
    ['https://app.example/cb?a=1&b=2&c=3', false],
    ['https://app.example/cb?a=1&b=%32', false],
    ['https://app.example/cb', false],
  ])('%s: %s', async (sent, right) => {
    const response = await ask(`redirect_uri=${encodeURIComponent(sent)}&prompt=none`, queried.id);
    if (right) expect(response.headers.get('location')).toMatch(`${sent}&error=consent_required`);
    else await expectRefused(response);
  });
});

describe('redirect_uri of a client that has registered none', () => {
  test.each([
    ['https', 'https://new.example/cb', true],
    ['a private-use scheme', 'com.example.app:/cb', true],
    ['http on loopback', 'http://127.0.0.1:4000/cb', true],
    ['http on localhost', 'http://localhost:4000/cb', true],
    ['http elsewhere', 'http://new.example/cb', false],
    ['http on a host that only looks like loopback', 'http://127.0.0.1.evil.example/cb', false],
    ['http on localhost with user information', 'http://localhost@evil.example/', false],
    ['user information', 'https://user@new.example/cb', false],
    ['fragment', 'https://new.example/cb#x', false],
    ['empty fragment', 'https://new.example/cb#', false],
    ['white space', 'https://new.example/a b', false],
    ['control character', 'https://new.example/a\u0001b', false],
    ['line end', 'https://new.example/\r\nX: y', false],
    ['backslash', 'https://new.example\\@evil.example', false],
    ['Unicode host', 'https://пример.example/', false],
    ['not absolute', '/cb', false],
    ['no host', 'https://', false],
    ['javascript', 'javascript:alert(1)', false],
    ['JavaScript', 'JavaScript:alert(1)', false],
    ['javascript behind a tab', 'java\tscript:alert(1)', false],
    ['javascript with a host', 'javascript://new.example/%0aalert(1)', false],
    ['data', 'data:text/html,<script>alert(1)</script>', false],
    ['vbscript', 'vbscript:x', false],
    ['file', 'file:///etc/passwd', false],
    ['blob', 'blob:https://new.example/1', false],
    ['about', 'about:blank', false],
    ['a query that holds code', 'https://new.example/cb?code=x', false],
    ['a query that holds state', 'https://new.example/cb?a=1&state=x', false],
    ['a query that holds iss', 'https://new.example/cb?iss=x', false],
    ['a query that holds error', 'https://new.example/cb?%65rror=x', false],
    ['5 kB', `https://new.example/${'x'.repeat(5000)}`, false],
  ])('%s: %s', async (_, sent, right) => {
    const response = await ask(`redirect_uri=${encodeURIComponent(sent)}`, none.id);
    if (right) expect(response.headers.get('location')).toMatch(/^\/consent\?flow=/);
    else await expectRefused(response);
  });

  test('is never redirected to before consent, whatever else the request has', async () => {
    const there = `redirect_uri=${encodeURIComponent('https://evil.example/')}`;
    for (const more of [
      'prompt=none',
      'response_type=token',
      'scope=%22',
      'request=x',
      'state=a&state=b',
      'response_mode=form_post&prompt=none',
    ]) {
      const response = await ask(`${there}&${more}`, none.id);
      await expectRefused(response);
      expect(await response.text()).not.toMatch(/<form[^>]*evil|http-equiv/);
    }
  });
});

describe('state in the authorization request', () => {
  const returned = async (query: string) => {
    const location = (await ask(query)).headers.get('location') ?? '';
    return new URL(location).searchParams;
  };

  test.each([
    ['plus is a space', 'a+b', 'a b'],
    ['an encoded plus is a plus', 'a%2Bb', 'a+b'],
    ['double encoded stays encoded once', '%2520', '%20'],
    ['line ends', '%0D%0ASet-Cookie:%20a=b', '\r\nSet-Cookie: a=b'],
    ['a character of four bytes', '%F0%9F%98%80', '😀'],
    ['a lone continuation of nothing: a brace', '%7B%22a%22%3A1%7D', '{"a":1}'],
    ['markup', '%3Cscript%3E', '<script>'],
    ['the first of nothing: spaces only', '%20%20', '  '],
  ])('is returned decoded once: %s', async (_, sent, state) => {
    expect((await returned(`state=${sent}`)).get('state')).toBe(state);
  });

  test('returns every ASCII character but NUL', async () => {
    const all = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1));
    expect((await returned(`state=${encodeURIComponent(all)}`)).get('state')).toBe(all);
  });

  test('of 4,096 bytes is returned after sign-in and consent', async () => {
    const state = 'é'.repeat(2048);
    const other = await newClient();
    const outsider = new Person(server, person.username);
    const answer = answerOf(
      await outsider.authorize({ client_id: other.id, response_type: 'code', state }),
    );
    expect(answer.state).toBe(state);
  });

  test.each([
    ['5 kB', 'x'.repeat(5000)],
    ['repeated', 'a&state=a'],
  ])('%s: invalid_request, and not sent back', async (_, sent) => {
    const params = await returned(`state=${sent}`);
    expect([params.get('error'), params.get('state')]).toEqual(['invalid_request', null]);
  });

  test.each([
    ['NUL', 'a%00b'],
    ['invalid UTF-8', '%ff%fe'],
    ['half a character', '%f0%9f%98'],
    ['an overlong slash', '%c0%af'],
    ['an encoded surrogate', '%ed%a0%80'],
    ['U+FFFD', '%ef%bf%bd'],
    ['past 8 KiB', 'x'.repeat(8300)],
  ])('%s: an error page', async (_, sent) => {
    await expectRefused(await ask(`state=${sent}`));
  });

  test('with a broken escape is 400', async () => {
    const { status } = await ask('state=%zz');
    expect(onNext ? nextDecides.brokenEscape : [400]).toContain(status);
  });

  test('with raw bytes outside ASCII is 400', async () => {
    expect((await asIs('state=\xff\xfe')).status).toBe(400);
  });
});

describe('scope in the authorization request (RFC 6749 section 3.3)', () => {
  test.each([
    ['nothing but an unknown name', 'nonsense'],
    ['a no-break space', 'profile%C2%A0email'],
    ['a comma', 'profile,email'],
    ['a backslash', 'profile%5C'],
    ['a quotation mark', '%22profile%22'],
    ['Unicode', 'profil%C3%A9'],
    ['another case', 'Profile'],
    ['5 kB', 'x'.repeat(5000)],
    ['something of every object', '__proto__'],
    ['something else of every object', 'constructor'],
  ])('%s: invalid_scope', async (_, sent) => {
    const location = new URL((await ask(`scope=${sent}`)).headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_scope');
  });

  test.each([
    ['a tab', 'profile%09email'],
    ['a line end', 'profile%0Aemail'],
    ['a leading space', '+profile'],
    ['a trailing space', 'profile+'],
    ['a space alone', '+'],
  ])('%s is folded in the profile interface', async (_, sent) => {
    const { headers } = await ask(`scope=${sent}`);
    expect(headers.get('location')).toMatch(`${uri}?code=`);
  });
});

describe('limits of a request', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');

  test('64 parameters are accepted, 65 are not', async () => {
    expect((await ask(many(62))).headers.get('location')).toMatch(`${uri}?code=`);
    await expectRefused(await ask(many(63)));
    const answer = async (count: number) => {
      const body = `grant_type=refresh_token&refresh_token=x&${many(count)}`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return readAnswer(
        await fetch(`${server.base}/oauth/token`, { method: 'POST', body, headers }),
      );
    };
    expect((await answer(62)).body.error).toBe('invalid_grant');
    expect(await answer(63)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('a body of 64 KiB is read, one byte more is not', async () => {
    // Eight parameters, each below its own limit.
    const body = (bytes: number) =>
      `grant_type=x${'&a=yyyyyyy'.repeat(8)}`.replaceAll('a=y', 'a=').padEnd(bytes, '&');
    const ask = async (bytes: number) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return readAnswer(
        await fetch(`${server.base}/oauth/token`, { method: 'POST', body: body(bytes), headers }),
      );
    };
    expect((await ask(64 * 1024)).status).toBe(400);
    expect(await ask(64 * 1024 + 1)).toMatchObject({
      status: 413,
      body: { error: 'invalid_request' },
    });
  });

  test('an endless chunked body is 413, and the answer arrives', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const end = nextDecides.waitsForWholeBody && onNext ? '0\r\n\r\n' : '';
    const head = [
      'POST /oauth/token HTTP/1.1',
      'Content-Type: application/x-www-form-urlencoded',
      'Transfer-Encoding: chunked',
    ];
    expect((await send(server.port, head.join('\r\n'), chunk.repeat(16) + end)).status).toBe(413);
  });

  test('a parameter of 1 MB is 413, and the answer arrives', async () => {
    const { status, body } = await post(server, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: 'x'.repeat(1024 * 1024),
    });
    expect([status, body.error]).toEqual([413, 'invalid_request']);
  });
});

describe('JSON bodies at the token endpoint (section 4)', () => {
  const json = async (body: string, type = 'application/json') =>
    readAnswer(
      await fetch(`${server.base}/oauth/token`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      }),
    );

  test('an object of strings is accepted', async () => {
    const { refresh_token } = await tokensOf(server, person, client);
    const { status, body } = await json(
      JSON.stringify({ grant_type: 'refresh_token', refresh_token }),
      'application/json; charset=utf-8',
    );
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    const code = await person.code({ client_id: client.id, response_type: 'code' });
    expect(
      (
        await json(
          JSON.stringify({ grant_type: 'authorization_code', code, ...credentials(client) }),
        )
      ).status,
    ).toBe(200);
  });

  test.each([
    ['a number', '{"grant_type":1}'],
    ['a boolean', '{"grant_type":true}'],
    ['null', '{"grant_type":null}'],
    ['an array as value', '{"grant_type":["refresh_token"]}'],
    ['an object as value', '{"grant_type":{"a":"b"}}'],
    ['an array', '["grant_type"]'],
    ['a string', '"grant_type"'],
    ['nothing but null', 'null'],
    ['no JSON', '{grant_type:refresh_token}'],
    ['half of it', '{"grant_type":"refresh_token"'],
    ['equal names', '{"grant_type":"refresh_token","refresh_token":"a","refresh_token":"b"}'],
    [
      'equal names, one escaped',
      '{"grant_type":"refresh_token","refresh_token":"a","refresh\\u005ftoken":"b"}',
    ],
    ['NUL', '{"grant_type":"refresh_token","refresh_token":"a\\u0000"}'],
    ['U+FFFD', '{"grant_type":"refresh_token","refresh_token":"a\\ufffd"}'],
    [
      'half of a surrogate pair',
      '{"grant_type":"authorization_code","code":"a","client_id":"\\ud800","client_secret":"b"}',
    ],
    ['a byte order mark', '\ufeff{"grant_type":"refresh_token"}'],
    [
      '65 names',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`p${index}`, 'x'])),
      ),
    ],
    ['9 KiB', JSON.stringify({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(9000) })],
  ])('%s: invalid_request', async (_, body) => {
    expect(await json(body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each([
    ['__proto__', '{"__proto__":"x","grant_type":"refresh_token","refresh_token":"a"}'],
    ['constructor', '{"constructor":"x","grant_type":"refresh_token","refresh_token":"a"}'],
  ])('a name from Object.prototype is an ordinary parameter: %s', async (_, body) => {
    expect((await json(body)).body.error).toBe('invalid_grant');
  });

  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-seq',
    'application/x-www-form-urlencodedx',
    '',
  ])('another content type is invalid_request: %j', async (type) => {
    const answer = await json('grant_type=refresh_token&refresh_token=a', type);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('invalid UTF-8 or NUL in a form body is invalid_request', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const body of [
      new Uint8Array([0x61, 0x3d, 0xff]),
      'grant_type=refresh_token&refresh_token=%ff',
      'grant_type=%00',
    ]) {
      const answer = await readAnswer(
        await fetch(`${server.base}/oauth/token`, { method: 'POST', body, headers }),
      );
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });
});

const { slashes, odderSpellings, brokenEscapeInPath, noPath } = nextDecides;
const spellings: [target: string, direct: number[], next: readonly number[]][] = [
  ['/oauth/token', [200], [200]],
  ['/oauth/token/', [200], slashes],
  ['/oauth/token//', [404], slashes],
  ['/oauth//token', [404], slashes],
  ['//oauth/token', [404], slashes],
  ['/%6fauth/token', [200], odderSpellings],
  ['/oauth/%74oken', [200], odderSpellings],
  ['/oauth/token%2f', [200], odderSpellings],
  ['/oauth%2ftoken', [200], odderSpellings],
  ['/oauth/./token', [400], odderSpellings],
  ['/x/../oauth/token', [400], odderSpellings],
  ['/oauth/x/../token', [400], odderSpellings],
  ['/oauth/%2e/token', [400], odderSpellings],
  ['/x/%2e%2e/oauth/token', [400], odderSpellings],
  ['/oauth/..;/oauth/token', [404], [404]],
  ['/oauth\\token', [400], odderSpellings],
  ['/oauth/token;x', [404], [404]],
  ['/oauth/token.json', [404], [404]],
  ['/oauth/TOKEN', [404], [404]],
  ['/OAuth/token', [404], [404]],
  ['/oauth/token%00', [404, 400], [404, 400]],
  ['/oauth/token%ff', [404, 400], brokenEscapeInPath],
  ['/oauth/token%', [404, 400], brokenEscapeInPath],
  ['/oauth/token%20', [404], [404]],
  ['oauth/token', [400], noPath],
  ['*', [400], noPath],
];

describe('spellings of the path of the token endpoint', () => {
  test.each(spellings)(
    '%s has the expected status, and never redirects to another host',
    async (target, direct, next) => {
      const { refresh_token } = await tokensOf(server, person, client);
      const body = `grant_type=refresh_token&refresh_token=${refresh_token}`;
      const answer = await send(
        server.port,
        `POST ${target} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded`,
        body,
      );
      expect(onNext ? next : direct).toContain(answer.status);
      if (answer.status === 200) expect(JSON.parse(answer.body).token_type).toBe('Bearer');
      const location = answer.headers.get('location');
      if (location !== null) expect(location).toMatch(/^\/(?![/\\])|^http:\/\/localhost:\d+\//);
    },
  );

  test.each([
    'http://evil.example/oauth/token',
    'https://evil.example/oauth/token',
    'evil.example:443',
  ])('an absolute or authority form as request target is refused: %s', async (target) => {
    const { status, headers } = await send(server.port, `POST ${target} HTTP/1.1`);
    expect(onNext ? nextDecides.absoluteForm : [400]).toContain(status);
    if (!onNext) expect(headers.get('location')).toBeNull();
  });

  test.each(['/oauth/authorize;x', '/oauth/authorize/x', '/oauth/authorize.html'])(
    'a variant of the authorization endpoint’s path is 404: %s',
    async (path) => {
      const answer = await send(
        server.port,
        `GET ${path}?client_id=${client.id}&response_type=code HTTP/1.1`,
      );
      expect(answer.status).toBe(404);
    },
  );
});

describe('unusual HTTP methods and messages', () => {
  const paths = [
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/me',
    '/login/submit',
    '/consent/submit',
    '/',
  ];

  test.each(paths)('TRACE %s does not echo the request', async (path) => {
    const { status, body } = await send(server.port, `TRACE ${path} HTTP/1.1\r\nX-Secret: s3cret`);
    expect(onNext ? nextDecides.otherMethods : [405]).toContain(status);
    expect(body).not.toContain('s3cret');
  });

  test.each(paths)('CONNECT and an unknown method on %s are refused', async (path) => {
    for (const method of ['CONNECT', 'BREW']) {
      const { status } = await send(server.port, `${method} ${path} HTTP/1.1`);
      expect(onNext ? nextDecides.otherMethods : [0, 400, 405]).toContain(status);
    }
  });

  test('a body with Content-Length and Transfer-Encoding is 400', async () => {
    const head = 'POST /oauth/token HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked';
    expect((await send(server.port, head, '0\r\n\r\n', false)).status).toBe(400);
  });

  test('forged Host, X-Forwarded-* and internal headers have no effect on pages and redirects', async () => {
    const forged = [
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: host=evil.example',
      'X-Gatehouse-Address: x 1.2.3.4',
      'X-Nonce: abc',
      'X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy',
    ].join('\r\n');
    for (const path of [
      '/',
      '/login',
      '/nowhere',
      `/oauth/authorize?client_id=${client.id}&response_type=code`,
    ]) {
      const { headers, body } = await send(server.port, `GET ${path} HTTP/1.1\r\n${forged}`);
      expect(body).not.toContain('evil.example');
      expect(headers.get('location') ?? '').not.toContain('evil.example');
      expect(headers.get('content-security-policy') ?? '').not.toContain('nonce-abc');
    }
  });
});
