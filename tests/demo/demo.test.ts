import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { apps, moreApps, mostMoreApps, mostPeople, people } from '#lib/demo/cast.ts';
import { Chance } from '#lib/demo/chance.ts';
import { startDemo } from './start.ts';

// What README.md and docs/start.md promise.
test('the demo shows the whole flow, each answer as expected, and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  const demo = startDemo(['--once']);
  const folder = await demo.printed(/Its data is in (\S+)\./);
  expect(await demo.ended, demo.text()).toBe(0);
  const lines = demo.text().split('\n');
  const exchanges = lines.flatMap((line) => /^ {3}(→ \w+ [^?\s]+|← \d+)/.exec(line)?.[1] ?? []);
  expect(exchanges).toEqual([
    '→ GET /oauth/authorize',
    '← 303',
    '→ GET /login',
    '← 200',
    '→ POST /login/submit',
    '← 303',
    '→ GET /oauth/continue',
    '← 303',
    '→ GET /consent',
    '← 200',
    '→ POST /consent/submit',
    '← 303',
    '→ POST /oauth/token',
    '← 200',
    '→ GET /oauth/me',
    '← 200',
    '→ POST /oauth/token',
    '← 200',
    '→ POST /oauth/token',
    '← 200',
    '→ POST /oauth/token',
    '← 200',
    '→ GET /oauth/me',
    '← 200',
    '→ POST /oauth/token',
    '← 400',
    '→ GET /oauth/me',
    '← 401',
  ]);
  const steps = lines.flatMap((line) => /^(\d+)\. ./.exec(line)?.[1] ?? []);
  expect(steps).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
  expect(demo.text()).toContain('username: demo');
  expect(demo.text()).toContain('error: invalid_grant');
  expect(demo.text()).toContain('error: invalid_token');
  expect(existsSync(folder)).toBe(false);
});

describe('the demo without --once runs until Ctrl-C', { timeout: 120_000 }, () => {
  let demo: ReturnType<typeof startDemo>;
  let folder: string;
  let app: string;
  let adminLink: string;
  /** The cookies of a browser in which the admin came in through the link. */
  let cookie = '';

  beforeAll(async () => {
    demo = startDemo();
    folder = await demo.printed(/Its data is in (\S+)\./);
    app = await demo.printed(/The app: +(\S+)/);
    adminLink = await demo.printed(/The dashboard: +(\S+)/);
    await demo.printed(/Press Ctrl-C/);
  }, 120_000);

  const open = (url: string, sent = cookie) =>
    fetch(url, { redirect: 'manual', headers: { Cookie: sent } });
  const textAt = async (url: string) => (await open(url)).text();
  /** The server's answer to the browser that the app's attempt sent there. */
  async function attempt(name: string): Promise<Response> {
    const sent = await open(`${app}/start/${name}`);
    return open(sent.headers.get('location') ?? '');
  }

  test('with an app that does not look like Gatehouse, and a button for each attempt', async () => {
    const page = await textAt(app);
    for (const name of ['works', 'wrong-address', 'wrong-secret', 'no-pkce', 'denied'])
      expect(page).toContain(`href="/start/${name}"`);
    expect(page + (await textAt(`${app}/style.css`))).not.toMatch(/gh-|gatehouse\.css|Figtree/);
    expect((await attempt('works')).headers.get('location')).toMatch(/^\/login\?flow=/);
  });

  test('with a link that signs in as the admin once', async () => {
    const wrong = await open(adminLink.replace(/token=.*/, 'token=x'));
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([410, []]);
    const entered = await open(adminLink);
    expect(entered.status).toBe(303);
    cookie = (entered.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const dashboard = await open(entered.headers.get('location') ?? '');
    expect(dashboard.status).toBe(200);
    const again = await open(adminLink, '');
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []]);
  });

  test('with 12 apps, 80 people and a week in the dashboard', async () => {
    const origin = await demo.printed(/It listens at (\S+)\./);
    const apps = await textAt(`${origin}/admin/clients`);
    for (const name of ['Chat', 'Wiki', 'Nightly backup', 'Pelican Post'])
      expect(apps).toContain(name);
    expect(await textAt(`${origin}/admin/people`)).toContain('@example.org');
    const database = new Database(resolve(folder, 'gatehouse.db'), { readonly: true });
    const number = (sql: string) => database.prepare(sql).pluck().get() as number;
    const inAWeek = `at > ${Date.now() - 7.1 * 24 * 3600_000}`;
    const days = `COUNT(DISTINCT at / ${24 * 3600_000})`;
    expect({
      people: number('SELECT COUNT(*) FROM users'),
      clients: number('SELECT COUNT(*) FROM clients'),
      sessions: number('SELECT COUNT(*) FROM sessions') > 100,
      grants: number('SELECT COUNT(*) FROM grants') > 100,
      authorizations: number('SELECT COUNT(*) FROM authorizations') > 100,
      days: number(`SELECT ${days} FROM audit_events WHERE ${inAWeek}`) >= 7,
      worked:
        number("SELECT COUNT(*) FROM traces WHERE step = 'userinfo' AND outcome = 'done'") > 100,
      failures: number("SELECT COUNT(*) FROM audit_events WHERE type LIKE '%fail%'") > 10,
      ofTheFuture: number(`SELECT COUNT(*) FROM audit_events WHERE at > ${Date.now()}`),
      // The app for the attempts has not been used yet.
      unused: number('SELECT COUNT(*) FROM clients WHERE last_used_at IS NULL'),
      reasons: number('SELECT COUNT(DISTINCT rule) FROM refusal_counters') >= 3,
      refusals: number("SELECT COUNT(*) FROM usage_counters WHERE name = 'refusal'") > 10,
    }).toEqual({
      people: 81,
      clients: 14,
      sessions: true,
      grants: true,
      authorizations: true,
      days: true,
      worked: true,
      failures: true,
      ofTheFuture: 0,
      refusals: true,
      reasons: true,
      unused: 1,
    });
    database.close();
  });

  test('with attempts that work, which ask for consent, and attempts that fail, which say why', async () => {
    const onward = (await attempt('works')).headers.get('location') ?? '';
    expect(onward).toMatch(/^\/consent\?flow=/);
    const asked = await attempt('denied');
    expect(asked.headers.get('location')).toMatch(/^\/(login|consent)\?flow=/);
    const address = await attempt('wrong-address');
    expect([address.status, await address.text()]).toEqual([
      400,
      expect.stringContaining(`${app}/callback/`),
    ]);
    const back = (await attempt('no-pkce')).headers.get('location') ?? '';
    expect(await textAt(back)).toContain('code_challenge is required');
    expect(await textAt(`${app}/callback?code=x&state=y`)).toContain(
      'Nobody asked for this response',
    );
  });

  test('and leaves nothing behind after Ctrl-C', async () => {
    // Twice, as npm and the terminal send it.
    demo.child.kill('SIGINT');
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
    expect(existsSync(folder)).toBe(false);
    await expect(fetch(app)).rejects.toThrow();
  });
});

test('the demo has the numbers of --people and --apps', {
  timeout: 120_000,
}, async () => {
  const demo = startDemo(['--people', '1300', '--apps', '40']);
  await demo.printed(/Press Ctrl-C/);
  const folder = await demo.printed(/Its data is in (\S+)\./);
  const database = new Database(resolve(folder, 'gatehouse.db'), { readonly: true });
  const number = (sql: string) => database.prepare(sql).pluck().get() as number;
  // The person and the two apps that the terminal creates are added to these.
  expect([
    number('SELECT COUNT(*) FROM users'),
    number('SELECT COUNT(*) FROM clients'),
    number('SELECT COUNT(*) FROM users WHERE last_sign_in_at IS NULL') > 100,
  ]).toEqual([1301, 42, true]);
  database.close();
  demo.child.kill('SIGINT');
  expect(await demo.ended).toBe(0);
});

test.each([
  ['--people', '79', 'a whole number from 80 to 16200'],
  ['--people', 'many', 'a whole number from 80 to'],
  ['--apps', '99999999999', 'a whole number from 12 to 268'],
])('demo: %s %s is refused with what is expected', async (option, value, expected) => {
  const demo = startDemo([option, value]);
  expect(await demo.ended).toBe(1);
  expect(demo.text()).toContain(`${option} is "${value}", and has to be ${expected}`);
});

test('the demo’s random numbers are the same in every run, and its names are unique', () => {
  const numbers = () => {
    const chance = new Chance(3);
    return Array.from({ length: 50 }, () => chance.between(1, 6));
  };
  expect(numbers()).toEqual(numbers());
  expect([...new Set(numbers())].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const field of ['username', 'name'] as const)
    expect(new Set(people(mostPeople).map((person) => person[field])).size).toBe(mostPeople);
  const added = moreApps(mostMoreApps).map(({ id }) => id);
  expect(new Set([...added, ...apps.map(({ id }) => id)]).size).toBe(mostMoreApps + apps.length);
});
