import { describe, expect, test } from 'vitest';
import { passesAnswers } from '#lib/endpoints/proxy/forwarded.ts';
import { usualSiteHeaders } from '#lib/oauth/site.ts';
import { unique } from '../management/people.ts';
import { me, post } from '../support/app.ts';
import { newGuarded, proxyKinds, SiteBrowser } from '../support/guarded.ts';
import { openOwnServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import {
  badCookies,
  forgedNames,
  noMethods,
  ofOtherKinds,
  otherHosts,
  paths,
  sameHost,
} from './guarded-requests.ts';

const server = await openOwnServer('sqlite');
const script = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

describe.each(proxyKinds)('%s', async (kind) => {
  const name = unique('app');
  const site = `https://${name}.example.org`;
  const own = (host: string) => host.replaceAll(/app(?=\.example)/gi, name);
  await newGuarded({
    guardedSites: [site],
    openPaths: ['/open', '/ö'],
    siteHeaders: { 'X-WEBAUTH-USER': 'user' },
  });
  const person = await newPerson(server);
  const browser = new SiteBrowser(person, kind);
  await browser.enter(`${site}/`);
  const stranger = new SiteBrowser(person, kind);
  const told = [...Object.keys(usualSiteHeaders), 'x-webauth-user', 'x-gatehouse-jwt'];

  test.each(sameHost)('the same host: %s', async (_, host) => {
    const answer = await browser.ask(`https://${own(host)}/a`, {
      headers: { ...script, cookie: cookiesOf(browser) },
    });
    expect([answer.status, answer.headers['remote-user']]).toEqual([200, person.username]);
  });

  test.each(otherHosts)('another host: %s', async (_, host) => {
    const headers = { ...script, cookie: cookiesOf(browser) };
    const answer = await ask(browser, `https://${own(host)}/a`, { headers }, own(host));
    expect(answer.status).not.toBe(200);
  });

  test('a path is open only if nobody can read it in another way', async () => {
    const found: [string, boolean][] = [];
    for (const [path] of paths) {
      const { status } = await stranger.ask(`${site}${path}`, { headers: script });
      found.push([path, status === 200]);
    }
    expect(found).toEqual(paths);
  });

  test('forged names reach nobody: all are sent, empty without a person', async () => {
    const forged = Object.fromEntries(forgedNames.map((each) => [each, 'admin']));
    const open = await stranger.ask(`${site}/open`, { headers: { ...script, ...forged } });
    expect(told.map((each) => open.headers[each])).toEqual(told.map(() => ''));
    expect(open.headers.authorization).toBe('');
    const mine = await browser.ask(`${site}/`, { headers: { ...script, ...forged } });
    expect(mine.headers).toMatchObject({
      'remote-user': person.username,
      'x-webauth-user': person.username,
    });
    expect(told.filter((each) => mine.headers[each] === undefined)).toEqual([]);
    expect(JSON.stringify(mine.headers)).not.toContain('admin"');
  });

  test('headers of other kinds of proxy change nothing', async () => {
    const foreign = kind === 'nginx' ? forwardedOf('evil.example') : originalOf('evil.example');
    for (const headers of [ofOtherKinds, foreign, { ...ofOtherKinds, ...foreign }]) {
      const closed = await stranger.ask(`${site}/secret`, { headers: { ...script, ...headers } });
      const mine = await browser.ask(`${site}/secret`, { headers: { ...script, ...headers } });
      expect([closed.status, mine.status]).toEqual([401, 200]);
    }
  });

  test('a header of its own that is missing, twice or no address is refused', async () => {
    const names =
      kind === 'nginx'
        ? ['x-original-url', 'x-original-method']
        : kind === 'envoy'
          ? ['x-forwarded-proto']
          : ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-uri', 'x-forwarded-method'];
    for (const header of names)
      for (const value of ['', 'x, y', '\\', 'javascript:alert(1)']) {
        const proxy = { [header]: value };
        const { status } = await browser.ask(`${site}/`, { headers: script, proxy });
        expect([header, value, status]).toEqual([header, value, 403]);
      }
  });

  test.runIf(kind !== 'envoy')('a method that is none is refused', async () => {
    const header = kind === 'nginx' ? 'x-original-method' : 'x-forwarded-method';
    for (const method of noMethods) {
      const proxy = { [header]: method };
      const { status } = await browser.ask(`${site}/`, { headers: script, proxy });
      expect([method, status]).toEqual([method, 403]);
    }
    const { status } = await browser.ask(`${site}/`, { method: 'PROPFIND', headers: script });
    expect(status).toBe(200);
  });

  test.each(badCookies)('a cookie that proves nothing: %s', async (_, pattern) => {
    const good = browser.jarOf(site).get('__Host-gh_site') ?? '';
    const cookie = pattern.replace('{good}', good).replace('{cut}', good.slice(0, -1));
    const fetched = await stranger.ask(`${site}/`, { headers: { ...script, cookie } });
    expect(fetched.status).toBe(401);
    const opened = await stranger.open(`${site}/`, { cookie });
    expect(opened.status).toBe(passesAnswers(kind) ? 303 : 401);
  });

  test('a cookie is good for its own site and nowhere else', async () => {
    const [other, sibling] = [`https://${unique('b')}.example.org`, `http://${name}.lan:8080`];
    await newGuarded({ guardedSites: [other, sibling] });
    const good = browser.jarOf(site).get('__Host-gh_site') ?? '';
    for (const url of [other, sibling])
      for (const cookie of [`__Host-gh_site=${good}`, `gh_site=${good}`]) {
        const answer = await stranger.ask(`${url}/`, { headers: { ...script, cookie } });
        expect(answer.status).toBe(401);
      }
    expect((await me(server, good)).status).toBe(401);
    expect((await post(server, '/oauth/me', { access_token: good })).status).toBe(401);
  });
});

const cookiesOf = (browser: SiteBrowser) =>
  [...(([...browser.jars.values()][0] ?? new Map()) as Map<string, string>)]
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

const forwardedOf = (host: string) => ({
  'x-forwarded-host': host,
  'x-forwarded-uri': '/open/a',
  'x-forwarded-method': 'OPTIONS',
});
const originalOf = (host: string) => ({
  'x-original-url': `https://${host}/open/a`,
  'x-original-method': 'OPTIONS',
});

/** Asks about a URL that cannot be parsed, whose host is this text. */
function ask(
  browser: SiteBrowser,
  url: string,
  visit: { headers: Record<string, string> },
  host: string,
) {
  const good = 'https://x.example/a';
  const proxy: Record<string, string> =
    browser.kind === 'nginx'
      ? { 'x-original-url': url }
      : browser.kind === 'envoy'
        ? { host }
        : { 'x-forwarded-host': host };
  return browser.ask(good, { ...visit, proxy });
}
