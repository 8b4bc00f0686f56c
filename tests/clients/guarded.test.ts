// Runs the configurations of docs/guard in front of an app, and attacks each.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkSites } from '#lib/management/client/site-check.ts';
import { allow, disallow } from '#lib/store/access.ts';
import { findClient } from '#lib/store/clients.ts';
import { AtProxy, connecting, fetching } from '../support/at-proxy.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { newGroup } from '../support/groups.ts';
import { newGuarded } from '../support/guarded.ts';
import { startHeaderApp } from '../support/header-app.ts';
import { missing } from '../support/missing.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { guardsOnly, kinds, makeCertificate, startGuard } from '../support/proxies.ts';
import { newUser } from '../support/seed.ts';
import { programFromGo } from './go-programs.ts';

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

/** What each proxy has to leave of what a browser claims, by its name as an app reads it. */
const names = [
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
const claims: Record<string, Record<string, string | string[]>> = {
  'every name': Object.fromEntries(names.map((name) => [name, 'admin'])),
  'with _ for -': Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), 'admin'])),
  'with one _ for -': Object.fromEntries(names.map((name) => [name.replace('-', '_'), 'admin'])),
  'in capitals': Object.fromEntries(names.map((name) => [name.toUpperCase(), 'admin'])),
  'a name twice': { 'Remote-User': ['admin', 'root'] },
  'a name that is lost': { connection: 'close, Remote-User, X-Gatehouse-Jwt, Remote-Groups' },
  'an address that is lost': { connection: 'close, X-Forwarded-Host, X-Forwarded-Uri' },
};

/** What makes other guards believe that another address was asked for. */
const elsewhere: Record<string, string>[] = [
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
const paths = [
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

async function startedProgram(kind: string): Promise<boolean> {
  const guard = guardsOnly[kind];
  if (!guard) return haveDebianPackages(...(kinds[kind]?.packages ?? []), ...extra(kind));
  const found =
    kind === 'traefik'
      ? onPath('traefik')
      : await programFromGo('github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9');
  if (found) guard.program = found;
  return found !== null;
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
  async function visitor(context: { skip: () => void }): Promise<AtProxy> {
    if (!proxy) context.skip();
    app.seen.length = 0;
    const user = await newUser();
    listed = { groups: [await newGroup(user)], people: [] };
    await allow(client.id, listed, [], new Date());
    return new AtProxy(new Person(server, user.username), front.port);
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
    const cookies = [...wrong, `gh_site=${value}`, `__Secure-gh_site=${value}`, `=${value}`, name];
    const came = [];
    for (const cookie of cookies) came.push(await browser.send('/', { headers: { cookie } }));
    expect(came.map(({ status }) => status)).toEqual(cookies.map(() => 401));
    // Another app's cookie, which a sibling host could have planted.
    const other = await newGuarded({ guardedSites: ['https://other.example.org'] });
    expect(other.id).not.toBe(client.id);
    expect(app.seen).toEqual([]);
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
  const found = async (from: string, to: string) =>
    (await checked('nginx', (text) => text.replaceAll(from, to))).map(({ check }) => check);
  expect(await found('auth_request /.gatehouse/verify;', '')).toEqual(['closed']);
  expect(await found('$remote_addr', '$http_x_forwarded_for')).toEqual(['browser']);
  expect(await found('proxy_set_header Remote-User "";', '')).toEqual(['names']);
  expect(await found('$scheme://$http_host$request_uri', '$http_x_original_url')).toEqual([
    'host',
    'address',
    'closed',
  ]);
  expect(await found('/proxy/verify/nginx', '/nothing')).toEqual(['asks', 'closed']);
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
