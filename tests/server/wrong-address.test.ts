import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, newLogFile } from '../support/database.ts';
import { linesAbout } from '../support/log-lines.ts';
import { type RawAnswer, send } from '../support/raw.ts';
import { type Server, startServer } from '../support/server.ts';

/** A server that people reach through a proxy, and one that they reach directly. */
const servers: Record<'behind a proxy' | 'on this machine', Server> = {} as never;
const issuer = 'https://id.example.org';
const logFile = newLogFile('wrong-address');

beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  const [proxied, local] = await Promise.all([
    startServer({ mount: 'direct', databaseUrl, logFile, env: { ISSUER: issuer } }),
    startServer({ mount: 'direct', databaseUrl, logFile }),
  ]);
  servers['behind a proxy'] = proxied;
  servers['on this machine'] = local;
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

type Headers = Record<string, string>;
type Which = keyof typeof servers;

function ask(which: Which, line: string, headers: Headers, body = ''): Promise<RawAnswer> {
  const { port } = servers[which];
  const given = Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value.replaceAll('PORT', String(port))}`);
  return send(port, [`${line} HTTP/1.1`, ...given].join('\r\n'), body);
}

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Sec-Fetch-Site': 'none' };
const lan = { Accept: browser.Accept };
const visit = (which: Which, headers: Headers, path = '/login') =>
  ask(which, `GET ${path}`, { ...browser, ...headers });
const notice = 'opened at the wrong address';

describe('a page opens at the address of ISSUER or of the proxy', () => {
  test.each<[string, Which, Headers]>([
    ['the proxy passes the Host', 'behind a proxy', { Host: 'id.example.org' }],
    ['the proxy passes the Host with its port', 'behind a proxy', { Host: 'id.example.org:443' }],
    [
      'the proxy names the host in a header',
      'behind a proxy',
      { Host: 'backend.example.org', 'X-Forwarded-Host': 'id.example.org' },
    ],
    [
      'the proxy names the host as RFC 7239 does',
      'behind a proxy',
      { Host: 'backend.example.org', Forwarded: 'for=192.0.2.1;host="id.example.org";proto=https' },
    ],
    ['the proxy sends where it connects to', 'behind a proxy', { Host: '127.0.0.1:PORT' }],
    ['the proxy sends a name of a container', 'behind a proxy', { Host: 'gatehouse:3000' }],
    ['the proxy sends the name of an upstream block', 'behind a proxy', { Host: 'gatehouse' }],
    ['the proxy sends an inner name', 'behind a proxy', { Host: 'id.prod.svc.cluster.local' }],
    ['the proxy sends a public name and a port', 'behind a proxy', { Host: 'b.example.org:3000' }],
    ['the proxy sends an address', 'behind a proxy', { Host: '10.0.0.7' }],
    [
      'a link leads there from an app at the same inner name',
      'behind a proxy',
      { Host: '127.0.0.1:PORT', Referer: 'http://127.0.0.1:PORT/', 'Sec-Fetch-Site': 'cross-site' },
    ],
    [
      'one page leads to the next, through a proxy that sends its own name',
      'behind a proxy',
      { Host: '127.0.0.1:PORT', Referer: `${issuer}/`, 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['localhost', 'on this machine', { Host: 'localhost:PORT' }],
    ['127.0.0.1', 'on this machine', { Host: '127.0.0.1:PORT' }],
    ['[::1]', 'on this machine', { Host: '[::1]:PORT' }],
  ])('%s', async (_, which, headers) => {
    const answer = await visit(which, headers);
    expect([answer.status, answer.body.includes(notice)]).toEqual([200, false]);
    // What the page says about its address is true.
    const host = new URL(which === 'behind a proxy' ? issuer : 'http://localhost').host;
    expect(answer.body).toContain(`address bar should say ${host}`);
  });

  test('with a script that asks the browser for the address only if the request cannot tell', async () => {
    const page = async (host: string) => (await visit('behind a proxy', { Host: host })).body;
    expect(await page('127.0.0.1:PORT')).toMatch(
      /<script src="\/address\.js" data-issuer="https:\/\/id\.example\.org" nonce="/,
    );
    expect(await page('id.example.org')).not.toContain('address.js');
    const script = await ask('behind a proxy', 'GET /address.js', { Host: 'x' });
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ]);
  });
});

describe('a page at a wrong address says which one is right (RFC 9110 section 15.5.20)', () => {
  test.each<[string, Which, Headers, at: string, line: boolean]>([
    [
      'another public name',
      'behind a proxy',
      { Host: 'login.example.org' },
      'https://login.example.org',
      false,
    ],
    [
      'a public name, without https',
      'behind a proxy',
      { ...lan, Host: 'login.example.org', 'Sec-Fetch-Site': '' },
      'http://login.example.org',
      false,
    ],
    [
      'the page asked once more, as its script does',
      'behind a proxy',
      {
        Host: 'localhost:PORT',
        Referer: 'http://localhost:PORT/login',
        'Sec-Fetch-Site': 'same-origin',
      },
      'http://localhost:PORT',
      true,
    ],
    [
      'the public name of a server that does not know it',
      'on this machine',
      { Host: 'id.example.org' },
      'https://id.example.org',
      true,
    ],
    [
      'an address in the local network',
      'on this machine',
      { Host: '192.168.1.10:PORT' },
      'https://192.168.1.10:PORT',
      true,
    ],
    ['another port', 'on this machine', { Host: 'localhost:8080' }, 'http://localhost:8080', true],
    [
      'a name below localhost',
      'on this machine',
      { Host: 'a.localhost:PORT' },
      'http://a.localhost:PORT',
      true,
    ],
  ])('%s', async (_, which, headers, at, line) => {
    const { port } = servers[which];
    const [own, here] = [
      which === 'behind a proxy' ? issuer : `http://localhost:${port}`,
      at.replace('PORT', String(port)),
    ];
    const { status, body, headers: answered } = await visit(which, headers, '/setup?token=abc');
    expect(status).toBe(421);
    expect(body).toContain(`You’re at ${here}, but this server’s address is ${own}.`);
    expect(body).toContain(`href="${own}/setup?token=abc"`);
    expect(body.includes(`<code dir="ltr">ISSUER=${here}</code>`)).toBe(line);
    expect(body.includes('npm run cli -- doctor')).toBe(line);
    expect(answered.get('cache-control')).toBe('no-store');
  });

  test('on the page of a client whose id ends like a file name, too', async () => {
    const answer = await visit(
      'on this machine',
      { Host: 'id.example.org' },
      '/admin/clients/my.app',
    );
    expect([answer.status, answer.body.includes(notice)]).toEqual([421, true]);
  });

  test('in the language of the browser', async () => {
    const { body } = await visit('on this machine', {
      Host: 'id.example.org',
      'Accept-Language': 'de',
    });
    expect(body).toContain('Sie sind bei https://id.example.org, die Adresse dieses Servers');
  });

  test('for an authorization request too, with a link that continues it', async () => {
    const path = '/oauth/authorize?client_id=a&state=%22%3E';
    const { status, body } = await visit('behind a proxy', { Host: 'login.example.org' }, path);
    expect(status).toBe(421);
    expect(body).toContain(
      'href="https://id.example.org/oauth/authorize?client_id=a&amp;state=%22%3E"',
    );
  });

  test('without showing an invalid Host on the page', async () => {
    for (const host of ['<b>.example.org', 'a b.example.org', `${'x'.repeat(300)}.example.org`]) {
      const { status, body } = await visit('on this machine', { Host: host });
      expect([status, body.includes(notice)]).not.toEqual([421, true]);
    }
  });

  test('and the log says which ISSUER to set', async () => {
    const { headers } = await visit('behind a proxy', { Host: 'logged.example.org' });
    const base = servers['behind a proxy'].origin;
    const [line] = await linesAbout({ base, logFile }, [headers.get('x-request-id') ?? '']);
    expect(line).toMatchObject({
      problem: 'wrong_address',
      reason:
        'Opened at https://logged.example.org, but the address of this server is https://id.example.org. If https://logged.example.org is right, set ISSUER=https://logged.example.org and restart.',
    });
  });
});

describe('requests of programs are answered at any host name', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  test.each<[string, string, number]>([
    ['GET /healthz', '', 200],
    ['GET /readyz', '', 200],
    ['GET /.well-known/openid-configuration', '', 200],
    ['GET /oauth/jwks', '', 200],
    ['POST /oauth/token', 'grant_type=refresh_token&refresh_token=none', 400],
    ['POST /oauth/introspect', 'token=none', 401],
    ['GET /oauth/me', '', 401],
    ['GET /gatehouse.css', '', 200],
  ])('%s', async (line, body, status) => {
    for (const which of ['behind a proxy', 'on this machine'] as const)
      for (const Host of ['gatehouse:3000', 'other.example.org', '10.0.0.7:3000'])
        expect((await ask(which, line, { ...browser, ...(body && form), Host }, body)).status).toBe(
          status,
        );
  });

  test('a page requested without Accept: text/html is answered at any host name', async () => {
    const answer = await ask('on this machine', 'GET /login', { Host: 'h:3000', Accept: '*/*' });
    expect(answer.status).toBe(200);
  });
});

describe('a form that is submitted at a wrong address is refused with both addresses', () => {
  const form = { ...browser, 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = (which: Which, headers: Headers, path = '/setup/submit') =>
    ask(which, `POST ${path}`, { ...form, ...headers }, 'csrf=x&username=ada');

  test.each<[string, Headers, at: string]>([
    [
      'opened directly, beside the proxy',
      { Host: 'localhost:PORT', Origin: 'http://localhost:PORT', 'Sec-Fetch-Site': 'same-origin' },
      'http://localhost:PORT',
    ],
    [
      'by a browser that says nothing of sites',
      { Host: '192.168.1.10:PORT', Origin: 'http://192.168.1.10:PORT', 'Sec-Fetch-Site': '' },
      'http://192.168.1.10:PORT',
    ],
    [
      'through a proxy that does not pass the Host',
      { Host: '127.0.0.1:PORT', Origin: 'https://sso.example', 'Sec-Fetch-Site': 'same-origin' },
      'https://sso.example',
    ],
    [
      'without https',
      { Host: 'id.example.org', Origin: 'http://id.example.org', 'Sec-Fetch-Site': '' },
      'http://id.example.org',
    ],
  ])('%s', async (_, headers, at) => {
    const here = at.replace('PORT', String(servers['behind a proxy'].port));
    for (const path of ['/setup/submit', '/login/submit', '/admin/clients']) {
      const { status, body } = await post('behind a proxy', headers, path);
      expect([path, status]).toEqual([path, 403]);
      expect(body).toContain(`You’re at ${here}, but this server’s address is ${issuer}. Nothing`);
      expect(body).toContain(`href="${issuer}/"`);
      expect(body).not.toContain('another site');
    }
  });

  test.each<[string, Headers]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour of ours', { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'same-site' }],
    ['no origin', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    [
      'another site, forwarded as if it were ours',
      {
        Origin: 'https://evil.example',
        'X-Forwarded-Host': 'evil.example',
        'Sec-Fetch-Site': '',
      },
    ],
  ])('%s is refused as another site', async (_, headers) => {
    const { status, body } = await post('behind a proxy', { Host: 'id.example.org', ...headers });
    expect([status, body.includes('another site'), body.includes(notice)]).toEqual([
      403,
      true,
      false,
    ]);
    expect(body).not.toContain('evil.example');
  });

  test('at the right address it is accepted, whatever Host the proxy sends', async () => {
    const right = { Origin: issuer, 'Sec-Fetch-Site': 'same-origin' };
    for (const Host of ['id.example.org', '127.0.0.1:PORT', 'gatehouse:3000']) {
      const { body } = await post('behind a proxy', { Host, ...right }, '/login/submit');
      expect(body).toContain('This form is out of date');
    }
  });
});
