import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

function startDemo(args: string[] = []) {
  const child = spawn(process.execPath, ['lib/demo.ts', ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  running.add(child.on('exit', () => running.delete(child)));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = once(child, 'close').then(([code]) => code as number);
  const printed = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const more = await Promise.race([once(child.stdout, 'data'), ended.then(() => 'ended')]);
      if (more === 'ended' && !pattern.test(text)) throw new Error(`The demo ended:\n${text}`);
    }
    return pattern.exec(text)?.[1] ?? '';
  };
  return { child, printed, ended, text: () => text };
}

test('the demo shows the whole flow, each answer as expected, and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  const demo = startDemo(['--once']);
  const folder = await demo.printed(/Its data is in (\S+)\./);
  expect(await demo.ended, demo.text()).toBe(0);
  const lines = demo.text().split('\n');
  const exchanges = lines.flatMap((line) => /^ {3}(→ \w+ [^?\s]+|← \d+)/.exec(line)?.[1] ?? []);
  expect(exchanges).toEqual([
    ...['→ GET /oauth/authorize', '← 303'],
    ...['→ GET /login', '← 200'],
    ...['→ POST /login/submit', '← 303', '→ GET /oauth/continue', '← 303'],
    ...['→ GET /consent', '← 200'],
    ...['→ POST /consent/submit', '← 303'],
    ...['→ POST /oauth/token', '← 200'],
    ...['→ GET /oauth/me', '← 200'],
    ...['→ POST /oauth/token', '← 200'],
    ...['→ POST /oauth/token', '← 200'],
    ...['→ POST /oauth/token', '← 200', '→ GET /oauth/me', '← 200'],
    ...['→ POST /oauth/token', '← 400'],
    ...['→ GET /oauth/me', '← 401'],
  ]);
  const steps = lines.flatMap((line) => /^(\d+)\. ./.exec(line)?.[1] ?? []);
  expect(steps).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
  expect(demo.text()).toContain('username: demo');
  expect(demo.text()).toContain('error: invalid_grant');
  expect(demo.text()).toContain('error: invalid_token');
  expect(existsSync(folder)).toBe(false);
});

test('the demo stays up with an app to sign in to, until Ctrl-C', {
  timeout: 120_000,
}, async () => {
  const demo = startDemo();
  const folder = await demo.printed(/Its data is in (\S+)\./);
  const app = await demo.printed(/The app: +(\S+)/);
  await demo.printed(/Press Ctrl-C/);
  expect(await (await fetch(app)).text()).toContain('Sign in with Gatehouse');
  const sent = await fetch(`${app}/sign-in`, { redirect: 'manual' });
  const asked = await fetch(sent.headers.get('location') ?? '', { redirect: 'manual' });
  expect(asked.headers.get('location')).toMatch(/^\/login\?flow=/);
  expect(await (await fetch(`${app}/callback?code=x&state=y`)).text()).toContain(
    'Nobody asked for this response',
  );

  // Twice, as npm and the terminal send it.
  demo.child.kill('SIGINT');
  demo.child.kill('SIGINT');
  expect(await demo.ended).toBe(0);
  expect(existsSync(folder)).toBe(false);
  await expect(fetch(app)).rejects.toThrow();
});
