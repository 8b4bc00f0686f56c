import { describe, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, type Page, Person } from '../support/person.ts';
import { newClient } from '../support/seed.ts';

const server = await openServer();
const person = await newPerson(server);
const client = await newClient();
await person.authorize({ client_id: client.id, response_type: 'code' });
const flowPage = await person.open(
  authorizePath({ client_id: client.id, response_type: 'code', prompt: 'consent' }),
);
const account = await person.open('/account/sign-in');
const loginPage = await person
  .open('/login?flow=')
  .then(() => person.open(flowPage.at.replace('/consent', '/login')));

const as = (action: string) => ({ ...account, forms: [{ ...account.forms[0], action }] }) as Page;

// Every form of section 7, with the fields of a valid post.
const forms: [action: string, page: Page, filled: Record<string, string>][] = [
  ['/login/submit', loginPage, { username: person.username, password: 'wrong' }],
  ['/consent/submit', flowPage, { decision: 'deny' }],
  ['/switch/submit', flowPage, {}],
  ['/account/password/submit', account, { confirm_password: 'wrong', new_password: 'wrong wrong' }],
  ['/account/apps/submit', await person.open('/account/apps'), { client_id: 'none of them' }],
  ['/account/email/own/submit', as('/account/email/own/submit'), {}],
  ['/setup/submit', as('/setup/submit'), { token: 'wrong' }],
  ['/logout/submit', await person.open('/logout'), {}],
];

const good = { Origin: server.issuer, 'Sec-Fetch-Site': 'same-origin' };
const without = (body: string, name: string) =>
  new URLSearchParams([...new URLSearchParams(body)].filter(([each]) => each !== name)).toString();

describe.each(forms)('POST %s (section 7)', (action, page, filled) => {
  const { body } = person.postOf(page, action, filled);
  const post = (sent: string, headers: Record<string, string>, who: Person = person) =>
    who.request(action, { method: 'POST', body: sent, headers });

  test.each<[string, Record<string, string>]>([
    ['an Origin that is not ours', { Origin: 'https://evil.example' }],
    ['a sub-domain of ours as Origin', { Origin: server.issuer.replace('//', '//evil.') }],
    ['our host with another scheme', { Origin: server.issuer.replace('http:', 'https:') }],
    ['our host with another port', { Origin: 'http://localhost:1' }],
    ['Origin: null', { Origin: 'null' }],
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['our Origin, but Sec-Fetch-Site: cross-site', { ...good, 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s: 403', async (_, headers) => {
    const response = await post(body, headers);
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each<[string, (sent: string) => string]>([
    ['missing', (sent) => without(sent, 'csrf')],
    ['empty', (sent) => `${without(sent, 'csrf')}&csrf=`],
    ['wrong', (sent) => `${without(sent, 'csrf')}&csrf=${'A'.repeat(43)}`],
  ])('a CSRF value that is %s: 403', async (_, change) => {
    expect((await post(change(body), good)).status).toBe(403);
  });

  test('the CSRF value of another browser, or no browser cookie: 403', async () => {
    const other = new Person(server);
    expect((await post(body, good, other)).status).toBe(403);
    await other.open('/login');
    expect((await post(body, good, other)).status).toBe(403);
  });

  test('another content type: refused', async () => {
    const response = await person.request(action, {
      method: 'POST',
      body,
      headers: { ...good, 'Content-Type': 'text/plain' },
    });
    expect([400, 403]).toContain(response.status);
  });

  test('no body: refused', async () => {
    expect([400, 403]).toContain((await post('', good)).status);
  });

  test('a missing Origin passes: 303 to a page of ours', async () => {
    const response = await post(body, {});
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

test('the page that refuses a form links to this server, whatever Referer and X-Forwarded-Host say', async () => {
  const { body } = person.postOf(loginPage, '/login/submit', { username: 'x', password: 'y' });
  const hostile = { Referer: 'https://evil.example/', 'X-Forwarded-Host': 'evil.example' };
  const page = async (sent: string, headers: Record<string, string>) =>
    (
      await person.request('/login/submit', {
        method: 'POST',
        body: sent,
        headers: { ...hostile, ...headers },
      })
    ).text();
  const stale = await page(without(body, 'csrf'), good);
  const foreign = await page(body, { Origin: 'https://evil.example' });
  const unreadable = await page(`${body}&username=%00`, good);
  for (const html of [stale, foreign])
    expect(html).toMatch(/<a class="gh-button [^"]+" href="\/login">Go to sign-in</);
  expect(unreadable).toContain('We couldn’t read this form');
  expect(unreadable).toMatch(/<a class="gh-button [^"]+" href="\/">/);
  for (const html of [stale, foreign, unreadable]) expect(html).not.toContain('evil.example');
});

test('with a loopback issuer a form may come from each loopback name', async () => {
  const outsider = new Person(server);
  const page = await outsider.open('/login');
  const { body } = outsider.postOf(page, '/login/submit', { username: 'nobody', password: 'x' });
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const headers = { Origin: `http://${host}:${server.port}` };
    expect(
      (await outsider.request('/login/submit', { method: 'POST', body, headers })).status,
    ).toBe(303);
  }
});
