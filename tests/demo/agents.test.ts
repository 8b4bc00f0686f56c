import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrInstallBrowser } from '#lib/tooling/browser.ts';
import { startDemo } from './start.ts';

/** Each request in the terminal with its answer: `POST /oauth/token at Home 200`. */
function requestsOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const asked = /^ {3}→ (\w+ [^?\s]+)\S* at (\w+)/.exec(line);
    if (!asked) return [];
    const next = lines.slice(at + 1).find((each) => /^ {3}[→←]|^\d+\. /.test(each)) ?? '';
    const status = /^ {3}← (\d+)/.exec(next)?.[1];
    const path = asked[1]?.replace(/http:\/\/[^/]+\//, '/');
    return status ? [`${path} at ${asked[2]} ${status}`] : [`${path} at ${asked[2]}`];
  });
}

/** A party that is called with a token introspects it at its server. */
const called = (api: string, server: string) => [
  `GET / at ${api}`,
  `POST /oauth/introspect at ${server} 200`,
];

// What README.md and docs/guides/delegation.md promise.
test('the agents demo in the terminal: an agent is allowed, acts and is stopped, at two servers', {
  timeout: 180_000,
}, async () => {
  const demo = startDemo(['--agents', '--once']);
  const folder = await demo.printed(/Its data is in (\S+)\./);
  const other = await demo.printed(/Its data is in (\S+railway\S+)\./);
  expect(await demo.ended, demo.text()).toBe(0);
  const text = demo.text();
  const [, before = '', asked = '', allowed = '', acted = '', stopped = ''] = text.split(
    /^(?:Before: .*|Asked|Allowed|Acted|Stopped)$/m,
  );
  expect(requestsOf(before).slice(-3)).toEqual([
    'GET /login/with/home/callback at Railway 303',
    'GET /login/new at Railway 200',
    'POST /login/new/submit at Railway 303',
  ]);
  expect(requestsOf(asked)).toEqual([
    'GET /oauth/authorize at Home 303',
    'GET /consent at Home 200',
  ]);
  expect(asked).toContain('Ada Lovelace is responsible for it.');
  expect(requestsOf(allowed)).toEqual([
    'POST /consent/submit at Home 303',
    'POST /oauth/token at Home 200',
  ]);
  expect(requestsOf(acted)).toEqual([
    ...called('Scheduler', 'Home'),
    'POST /oauth/token at Home 200',
    ...called('Calendar', 'Home'),
    'POST /oauth/token at Home 200',
    'POST /oauth/token at Railway 200',
    ...called('Tickets', 'Railway'),
    'GET /account/apps at Home 200',
  ]);
  expect(acted).toContain('act: {"sub":"scheduler"}');
  expect(acted).toContain('Scheduler, for you, via Trip agent');
  expect(requestsOf(stopped)).toEqual([
    'POST /account/apps/submit at Home 303',
    ...called('Scheduler', 'Home'),
    'POST /oauth/token at Home 400',
    'POST /oauth/token at Home 400',
    // A token issued earlier by another server stays valid until it expires, or is ended at that
    // server.
    ...called('Tickets', 'Railway'),
    ...called('Calendar', 'Home'),
    'GET /account/apps at Railway 200',
    'POST /account/apps/submit at Railway 303',
    ...called('Tickets', 'Railway'),
  ]);
  const answers = [...stopped.matchAll(/← (\d+ from \w+)/g)].map(([, answer]) => answer);
  expect(answers).toEqual([
    '401 from Scheduler',
    '200 from Tickets',
    '401 from Calendar',
    '401 from Tickets',
  ]);
  const steps = [...text.matchAll(/^(\d+)\. \S/gm)].map(([, step]) => Number(step));
  expect(steps).toEqual(Array.from({ length: steps.length }, (_, index) => index + 1));
  // Only the beginning of a secret is shown.
  expect(text).not.toMatch(/gh_(at|rt|code|cs)_[\w-]{20}|eyJ[\w-]+\.eyJ/);
  expect([existsSync(folder), existsSync(other)]).toEqual([false, false]);
});

describe('the agents demo in the browser, without scripts', { timeout: 180_000 }, () => {
  let demo: ReturnType<typeof startDemo>;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    demo = startDemo(['--agents']);
    await demo.printed(/Press Ctrl-C/);
    browser = await chromium.launch({
      executablePath: await findOrInstallBrowser(),
      args: ['--no-sandbox'],
    });
    const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
    page = await context.newPage();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    demo?.child.kill('SIGINT');
    await demo?.ended;
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  /** What the agent’s page says about each party that was called. */
  const answers = () => page.getByText(/^(Scheduler|Calendar|Tickets) (answers|refuses)\.$/);
  async function removeAgent(): Promise<void> {
    const agents = page.getByRole('listitem').filter({
      has: page.getByRole('heading', { name: 'Trip agent', exact: true }),
    });
    await agents.getByText('Remove access', { exact: true }).click();
    await agents.getByRole('button', { name: 'Yes, remove access' }).click();
  }

  test('a user allows the agent, sees it act, and stops it at both servers', async () => {
    const agent = await demo.printed(/The agent: +(\S+)/);
    await page.goto(agent);
    await follow('Ask me');
    await page
      .getByLabel('Username')
      .first()
      .fill(await demo.printed(/Username: +(\S+)/));
    await page.getByLabel('Password', { exact: true }).fill(await demo.printed(/Password: +(.+)/));
    await press('Sign in');
    await page.getByText('Ada Lovelace is responsible for it.').waitFor();
    await press('Allow');
    expect(await heading()).toBe('It may act for you now');
    await press('Act');
    expect(await heading()).toBe('Done: a day found, a train booked');
    expect(await answers().allTextContents()).toEqual([
      'Calendar answers.',
      'Scheduler answers.',
      'Tickets answers.',
    ]);
    await follow('Your account at Home');
    await page.getByText('Scheduler, for you, via Trip agent').waitFor();
    await removeAgent();
    await page.goto(agent);
    await press('Act again');
    expect(await heading()).toBe('It was stopped');
    expect(await answers().allTextContents()).toEqual([
      'Scheduler refuses.',
      'Tickets answers.',
      'Calendar refuses.',
    ]);
    await follow('your account at Railway');
    await page.getByRole('link', { name: /Continue with Home/ }).click();
    await removeAgent();
    await page.goto(agent);
    await press('Act again');
    expect(await answers().allTextContents()).toEqual([
      'Scheduler refuses.',
      'Tickets refuses.',
      'Calendar refuses.',
    ]);
    await demo.printed(/Acting, in the browser[\s\S]*← 401 from Tickets/);
  });

  test('a request from another site does not let the agent act', async () => {
    const agent = await demo.printed(/The agent: +(\S+)/);
    const before = demo.text();
    for (const origin of ['https://elsewhere.example', 'null'])
      await fetch(`${agent}/act`, { method: 'POST', headers: { origin }, redirect: 'manual' });
    expect(demo.text()).toBe(before);
  });
});
