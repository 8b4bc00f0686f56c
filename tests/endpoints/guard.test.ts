import { describe, expect, test } from 'vitest';
import { endAppPassword, makeAppPassword } from '#lib/management/app-password/app-passwords.ts';
import { createClient } from '#lib/management/client/clients.ts';
import { write } from '#lib/store/engine/database.ts';
import { unique } from '../management/people.ts';
import { newGroup } from '../support/groups.ts';
import { type Answer, change, newGuarded, proxyKinds, SiteBrowser } from '../support/guarded.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { password } from '../support/seed.ts';
import { stepOf } from '../support/traces.ts';

const server = await openServer();
const cli = { id: 'cli' };

async function scene(kind = proxyKinds[0] ?? 'nginx', options = {}) {
  const site = `https://${unique('app')}.example.org`;
  const client = await newGuarded({ guardedSites: [site], ...options });
  const person = await newPerson(server);
  return { site, client, person, browser: new SiteBrowser(person, kind) };
}

const lets = ({ status }: Answer) => status === 200;

describe.each(proxyKinds)('%s', (kind) => {
  test('a page leads to the sign-in and back, and the cookie lets in', async () => {
    const { site, person, browser } = await scene(kind);
    const begun = await browser.open(`${site}/a/b?c=d&e=%20f`);
    const passes = kind !== 'nginx' && kind !== 'apache';
    expect(begun.status).toBe(passes ? 303 : 401);
    expect(String(begun.headers.location)).toMatch(/^http:\/\/localhost:\d+\/oauth\/authorize\?/);
    const entered = await browser.enter(`${site}/a/b?c=d&e=%20f`);
    expect(entered).toMatchObject({ status: 200, at: `${site}/a/b?c=d&e=%20f` });
    expect(entered.headers).toMatchObject({
      'remote-user': person.username,
      'x-auth-request-preferred-username': person.username,
      'remote-sub': person.user.id,
      'remote-name': '',
      authorization: '',
    });
    const [, payload = ''] = String(entered.headers['x-gatehouse-jwt']).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: server.issuer,
      aud: new URL(site).host,
      sub: person.user.id,
    });
    expect([...browser.jarOf(site).keys()].sort()).toEqual([
      '__Host-gh_site',
      '__Host-gh_site_browser',
    ]);
  });

  test('what is not a navigation is told 401, and led nowhere', async () => {
    const { site, browser } = await scene(kind);
    const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' };
    const asked = [
      await browser.ask(`${site}/`, { headers: fetched }),
      await browser.ask(`${site}/`, { method: 'POST', headers: { accept: 'text/html' } }),
      await browser.open(`${site}/`, { upgrade: 'websocket', connection: 'upgrade' }),
      await browser.open(`${site}/`, { 'sec-purpose': 'prefetch;prerender' }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(asked.filter(({ headers }) => headers.location !== undefined)).toEqual([]);
    expect(asked.filter(lets)).toEqual([]);
  });
});

test('an address to sign in at leads back to a page of the site, and to no other', async () => {
  const { site, browser, person } = await scene('envoy');
  const back = async (rd: string) =>
    (
      await new SiteBrowser(person, 'envoy').enter(
        `${site}/.gatehouse/sign-in?rd=${encodeURIComponent(rd)}`,
      )
    ).at;
  expect(await back(`${site}/a%2Fb?c=d`)).toBe(`${site}/a%2Fb?c=d`);
  expect(await back('/deep?x')).toBe(`${site}/deep?x`);
  for (const rd of [
    'https://evil.example/x',
    '//evil.example/x',
    'javascript:alert(1)',
    '',
    'http://',
  ])
    expect(await back(rd)).toBe(`${site}/`);
  const fetched = await browser.ask(`${site}/.gatehouse/sign-in`, { method: 'POST' });
  expect(fetched.status).toBe(400);
});

describe('a sign-in', () => {
  test('of another browser, or of another site, begins anew and lets nobody in', async () => {
    const { site, client, person } = await scene();
    const attacker = new SiteBrowser(await newPerson(server), 'traefik');
    const begun = await attacker.open(`${site}/a`);
    const { at } = await attacker.returned(String(begun.headers.location));
    expect(at).toMatch(new RegExp(`^${site}/.gatehouse/callback\\?code=gh_code_`));
    const victim = new SiteBrowser(person, 'traefik');
    const without = await victim.open(at);
    expect([without.status, without.headers['set-cookie']]).toEqual([403, undefined]);
    await victim.open(`${site}/`);
    const planted = await victim.open(at);
    expect(planted).toMatchObject({ status: 303, headers: { location: `${site}/a` } });
    expect(victim.jarOf(site).has('__Host-gh_site')).toBe(false);
    // It is still good in the browser that began it, once.
    expect(lets(await attacker.enter(at))).toBe(true);
    const other = `https://${unique('other')}.example.org`;
    await change(client.id, { guardedSites: [site, other] });
    expect((await attacker.open(at.replace(site, other))).status).toBe(403);
  });

  test('whose code is put into another answer is refused by its verifier', async () => {
    const { site, person } = await scene();
    const codeIn = async (browser: SiteBrowser) => {
      const { headers } = await browser.open(`${site}/`);
      return new URL((await browser.returned(String(headers.location))).at);
    };
    const [mine, theirs] = [new SiteBrowser(person, 'caddy'), new SiteBrowser(person, 'caddy')];
    const own = await codeIn(mine);
    const stolen = await codeIn(theirs);
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect((await mine.open(own.href)).headers['set-cookie']).toBeUndefined();
    expect(lets(await theirs.enter(stolen.href))).toBe(true);
  });

  test('that is answered twice leads on, and ends nothing', async () => {
    const { site, browser } = await scene('caddy');
    const { headers } = await browser.open(`${site}/x?y`);
    const { at } = await browser.returned(String(headers.location));
    for (const _ of [1, 2]) expect((await browser.open(at)).headers.location).toBe(`${site}/x?y`);
    expect(lets(await browser.open(`${site}/x?y`))).toBe(true);
  });

  test('whose cookie never comes back is stopped, and says why', async () => {
    const { site, browser } = await scene('nginx');
    await browser.enter(`${site}/`);
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      // The proxy forgets the cookie where it asks, and not where the answer comes.
      const cookie = `__Host-gh_site_browser=${browser.jarOf(site).get('__Host-gh_site_browser')}`;
      const begun = await browser.open(`${site}/`, { cookie });
      const { at } = await browser.returned(String(begun.headers.location));
      const answer = await browser.open(at);
      statuses.push(answer.status);
      if (answer.status === 403) expect(answer.body).toContain('without its cookie');
    }
    expect(statuses).toEqual([303, 303, 303, 403, 403]);
  });

  test('that is denied ends on a page, with nothing that was sent', async () => {
    const { site, browser } = await scene('traefik');
    const { headers } = await browser.open(`${site}/`);
    const state = new URL(String(headers.location)).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, error: 'access_denied', error_description: 'evil' });
    const answer = await browser.open(`${site}/.gatehouse/callback?${query}`);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('evil');
    expect(answer.body).toContain(`href="${server.issuer}/gatehouse.css"`);
  });
});

describe('what ends a sign-in ends a guarded site', () => {
  test('sign-out there, but not a picture of another site that leads there', async () => {
    const { site, browser } = await scene('haproxy');
    await browser.enter(`${site}/`);
    const picture = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' };
    await browser.ask(`${site}/.gatehouse/sign-out`, { headers: picture });
    expect(lets(await browser.open(`${site}/`))).toBe(true);
    const cookie = `__Host-gh_site=${browser.jarOf(site).get('__Host-gh_site')}`;
    const out = await browser.open(`${site}/.gatehouse/sign-out`);
    expect(out.headers.location).toMatch(/\/oauth\/logout\?client_id=/);
    expect(browser.jarOf(site).has('__Host-gh_site')).toBe(false);
    expect((await browser.ask(`${site}/`, { headers: { cookie } })).status).toBe(401);
  });

  test('sign-out of this server, with the next request', async () => {
    const { site, browser, person } = await scene('haproxy');
    await browser.enter(`${site}/`);
    await person.signOut();
    expect((await browser.ask(`${site}/`)).status).toBe(401);
  });

  test('a site that is no longer the app’s', async () => {
    const { site, browser, client } = await scene('haproxy');
    await browser.enter(`${site}/`);
    await change(client.id, { guardedSites: [`https://${unique('new')}.example.org`] });
    expect((await browser.open(`${site}/`)).status).toBe(403);
  });
});

test('only a WebSocket may go on as something else than HTTP', async () => {
  const { site, browser } = await scene('haproxy', { openPaths: ['/open/'] });
  const came = async (upgrade: string) =>
    (await browser.ask(`${site}/open/x`, { headers: { upgrade } })).status;
  expect([await came('websocket'), await came('WebSocket')]).toEqual([200, 200]);
  for (const upgrade of ['h2c', 'websocket, h2c', 'TLS/1.3', 'websocket/13'])
    expect([upgrade, await came(upgrade)]).toEqual([upgrade, 403]);
});

test('preflights pass if the app says so, and only they', async () => {
  const { site, browser, client } = await scene('caddy');
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };
  const preflight = { method: 'OPTIONS', headers };
  expect((await browser.ask(`${site}/`, preflight)).status).toBe(401);
  await change(client.id, { passPreflights: true });
  expect((await browser.ask(`${site}/`, preflight)).headers['remote-user']).toBe('');
  expect((await browser.ask(`${site}/`, { ...preflight, headers: {} })).status).toBe(401);
  expect((await browser.ask(`${site}/`, { headers })).status).toBe(401);
});

test('Authorization reaches the app only if it wants it', async () => {
  const { site, browser, client } = await scene('caddy');
  await browser.enter(`${site}/`);
  const headers = { authorization: 'Bearer own' };
  expect((await browser.ask(`${site}/`, { headers })).headers.authorization).toBe('');
  await change(client.id, { passAuthorization: true });
  expect((await browser.ask(`${site}/`, { headers })).headers.authorization).toBe('Bearer own');
});

test('names are told as bytes of UTF-8, and no unproved address', async () => {
  const { site, browser, person } = await scene('envoy');
  await write("UPDATE users SET name = 'Jürgen 日本', email_verified = $2 WHERE id = $1", [
    person.user.id,
    false,
  ]);
  const groups = [await newGroup(person.user), await newGroup(person.user)].sort();
  const { headers } = await browser.enter(`${site}/`);
  expect(Buffer.from(String(headers['remote-name']), 'latin1').toString()).toBe('Jürgen 日本');
  expect(headers['remote-groups']).toBe(groups.join(','));
  expect(headers['remote-email']).toBe('');
});

test('over plain http the cookie has no prefix, and the app is asked for as http', async () => {
  const site = `http://${unique('nas')}.lan:8080`;
  const client = await newGuarded({ guardedSites: [site] });
  const browser = new SiteBrowser(await newPerson(server), 'nginx');
  expect(lets(await browser.enter(`${site}/`))).toBe(true);
  expect([...browser.jarOf(site).keys()].sort()).toEqual(['gh_site', 'gh_site_browser']);
  // A terminator in front speaks http to the proxy of a site at https.
  const secure = `https://${unique('app')}.example.org`;
  await change(client.id, { guardedSites: [secure] });
  const begun = await browser.open(`${secure.replace('https', 'http')}/a`);
  const target = new URL(String(begun.headers.location)).searchParams.get('redirect_uri');
  expect(target).toBe(`${secure}/.gatehouse/callback`);
});

describe('an app password', () => {
  test('is not asked of whoever shows the app its own key on an open path', async () => {
    const { site, browser } = await scene('caddy', {
      appPasswords: true,
      openPaths: ['/api/'],
      passAuthorization: true,
    });
    const shown = async (path: string, authorization: string) =>
      (await browser.ask(site + path, { headers: { authorization } })).status;
    const own = `Basic ${Buffer.from('job:key-of-the-app').toString('base64')}`;
    for (const key of ['Bearer key-of-the-app', own])
      expect([await shown('/api/x', key), await shown('/x', key)]).toEqual([200, 401]);
    const wrong = 'Bearer ghap-7k3m-q0xd-w8zr-2c5n-h1vt-94ef-bj6y';
    expect(await shown('/api/x', wrong)).toBe(401);
  });

  const basic = (login: string, text: string) => ({
    authorization: `Basic ${Buffer.from(`${login}:${text}`).toString('base64')}`,
  });

  test('lets a program in by Basic and by Bearer, at its own app, until it is ended', async () => {
    const { site, client, person, browser } = await scene('traefik', { appPasswords: true });
    const said = { user: person.user.id, client: client.id, name: 'Phone', secondFactor: false };
    const { id, secret } = await makeAppPassword(said, cli, new Date());
    const good = [basic(person.username, secret), { authorization: `Bearer ${secret}` }];
    for (const headers of good) {
      const { status, headers: told } = await browser.ask(`${site}/`, { headers });
      expect([status, told['remote-user'], told.authorization]).toEqual([200, person.username, '']);
      expect(told['x-gatehouse-jwt']).toMatch(/^eyJ/);
    }
    const bad = [
      basic('someone', secret),
      basic(person.username, `${secret}a`),
      basic(person.username, password),
      { authorization: 'Bearer x' },
    ];
    for (const headers of bad) {
      const answer = await browser.ask(`${site}/`, { headers });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        'Basic realm="App password", charset="UTF-8"',
      ]);
    }
    const other = await scene('traefik', { appPasswords: true });
    const [first] = good;
    expect((await other.browser.ask(`${other.site}/`, { headers: first ?? {} })).status).toBe(401);
    await endAppPassword({ id }, cli, new Date());
    for (const headers of good)
      expect((await browser.ask(`${site}/`, { headers })).status).toBe(401);
  });

  test('is asked for where the app takes them, and never of a script in a browser', async () => {
    const { site, client, browser } = await scene('nginx', { appPasswords: true });
    const asks = async (headers: Record<string, string>) =>
      (await browser.ask(`${site}/`, { headers })).headers['www-authenticate'] !== undefined;
    expect(await asks({})).toBe(true);
    expect(await asks({ 'sec-fetch-mode': 'cors' })).toBe(false);
    await change(client.id, { appPasswords: false });
    expect(await asks({})).toBe(false);
    expect((await browser.ask(`${site}/`, { headers: basic('a', 'b') })).status).toBe(401);
  });
});

test('networks let in whoever is inside, by what the proxy says of the visitor', async () => {
  const { site, client, person, browser } = await scene('caddy');
  await change(client.id, { networks: ['198.51.100.0/24'] });
  person.address = '198.51.100.7';
  expect(lets(await browser.enter(`${site}/`))).toBe(true);
  expect(lets(await browser.ask(`${site}/`))).toBe(true);
  person.address = '203.0.113.9';
  expect((await browser.ask(`${site}/`)).status).toBe(403);
});

test('a site belongs to one app, in every spelling', async () => {
  const { site, client } = await scene();
  const host = new URL(site).host;
  for (const [guardedSites, why] of [
    [[site], `${host} is a site of another app.`],
    [[`http://${host}`], `${host} is a site of another app.`],
    [[`HTTPS://${host.toUpperCase()}.:443`], `${host} is a site of another app.`],
    [[server.issuer], `${new URL(server.issuer).host} is this server’s own address.`],
    [['https://a.example.org', 'http://a.example.org'], 'a.example.org is there twice.'],
  ] as const)
    await expect(
      createClient({ name: 'Other', guardedSites }, { id: 'cli' }, new Date()),
    ).rejects.toThrow(why);
  await expect(change(client.id, { redirectUris: ['https://a.example/cb'] })).rejects.toThrow();
  const { secret } = await createClient(
    { name: 'Third', guardedSites: [`https://${unique('x')}.Example.org/`] },
    { id: 'cli' },
    new Date(),
  );
  expect(secret).toBeNull();
});

test('the attempt says which headers of other proxies were not read, and what was refused', async () => {
  const { site, browser } = await scene('nginx');
  const begun = await browser.open(`${site}/`);
  const { at } = await browser.returned(String(begun.headers.location));
  const answer = await browser.open(at, { 'x-forwarded-host': 'evil.example' });
  const told = await stepOf({ headers: headersOf(answer) });
  expect(told).toMatchObject({ step: 'guard', outcome: 'done' });
  const refused = await browser.open(`https://${unique('no')}.example.org/`);
  const why = await stepOf({ headers: headersOf(refused) });
  expect(why).toMatchObject({ step: 'guard', outcome: 'refused', rule: 'proxy.headers' });
});

const headersOf = ({ headers }: Answer) =>
  new Headers({ 'x-request-id': String(headers['x-request-id']) });
