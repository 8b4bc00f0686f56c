import { describe, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newPerson } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient } from '../support/seed.ts';

// This file has its own server, so that effects of other requests are not mistaken for effects of
// these.
const server = await openServer({});

describe('HEAD is GET without the body', () => {
  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/oauth/jwks',
    '/healthz',
    '/readyz',
  ])('%s', async (path) => {
    const get = await fetch(server.base + path);
    const head = await fetch(server.base + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    const length = head.headers.get('content-length');
    if (length) expect(Number(length)).toBe(Buffer.byteLength(await get.text()));
    const options = await fetch(server.base + path, { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

const tables = [
  'user',
  'session',
  'authorization',
  'grant',
  'auditEvent',
  'spentValue',
  'throttle',
  'mailedLink',
  'outgoingMail',
] as const;

/** Everything a request could leave behind, except counts, which reach the database later. */
async function everything(): Promise<Record<string, unknown>> {
  const db = (await prisma()) as unknown as Record<
    string,
    { findMany: () => Promise<Record<string, unknown>[]> } | undefined
  >;
  const rows = await Promise.all(tables.map(async (table) => [table, await db[table]?.findMany()]));
  return Object.fromEntries(rows) as Record<string, unknown>;
}

test('HEAD requests of a signed-in browser change nothing in the database', async () => {
  const person = await newPerson(server);
  const client = await newClient({ firstParty: true });
  const longAgo = new Date(Date.now() - 3600_000);
  const { session: sessions, user: users } = await prisma();
  // The time of a sign-in is stored a moment after the answer.
  await expect
    .poll(() => users.count({ where: { lastSignInAt: null } }), { timeout: 20_000 })
    .toBe(0);
  await sessions.updateMany({ data: { lastSeenAt: longAgo } });
  const before = await everything();
  const paths = [
    '/',
    '/login',
    '/login?back=/account',
    '/login/factor',
    '/account',
    '/account/security',
    '/account/sessions',
    '/account/email/confirm?token=none',
    '/account/security/codes/download',
    '/login/code',
    '/recover',
    '/recover/reset?token=none',
    '/recover/not-me?token=none',
    '/register',
    '/register/finish?token=none',
    '/setup?token=none',
    '/consent?flow=none',
    '/admin',
    '/admin/audit/export',
    '/docs',
    '/no-such-page',
    `/oauth/authorize?client_id=${client.id}&response_type=code`,
    '/oauth/continue?flow=none',
    '/oauth/cancel?flow=none',
    `/oauth/logout?client_id=${client.id}`,
    '/oauth/token',
    '/oauth/par',
    '/oauth/device_authorization',
    '/oauth/me?access_token=none',
    '/.well-known/change-password',
  ];
  for (const path of paths) {
    const response = await person.request(path, { method: 'HEAD' });
    expect([path, response.status < 500, await response.text()]).toEqual([path, true, '']);
  }
  expect(await everything()).toEqual(before);
  // A visit does change something, which shows that this comparison would notice changes.
  await person.request('/account');
  expect(await everything()).not.toEqual(before);
});

test('/.well-known/change-password redirects to the password form', async () => {
  const person = await newPerson(server);
  const response = await person.request('/.well-known/change-password');
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    '/account/sign-in#password',
  ]);
  const page = await (await person.request('/account/sign-in')).text();
  expect(page).toMatch(/id="password".*action="\/account\/password\/submit"/s);
});
