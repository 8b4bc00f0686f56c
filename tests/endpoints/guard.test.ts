import { describe, expect, test } from 'vitest';
import { unique } from '../management/people.ts';
import { type Answer, newGuarded, proxyKinds, SiteBrowser } from '../support/guarded.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';

const server = await openServer();

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
