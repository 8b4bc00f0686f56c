import { expect, test } from 'vitest';
import { newSetUpLink, openSetUpLink, setUpLinkLife } from '#lib/identity/set-up.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { createDatabase } from '../support/database.ts';
import { failure, json } from './command-line.ts';

Object.assign(process.env, {
  SERVER_SECRET: 's'.repeat(32),
  BCRYPT_COST: '4',
  DATABASE_URL: await createDatabase('sqlite'),
});

/** The token of the link that the command makes. */
async function newToken(): Promise<string> {
  const { url } = (await json(['setup-link'])) as { url: string };
  expect(url).toMatch(/^http:\/\/localhost:3000\/setup\?token=gh_su_[\w-]{43}$/);
  return new URL(url).searchParams.get('token') ?? '';
}

test('setup-link: creates links for the first admin, until there is one', async () => {
  const now = new Date();
  const one = await newToken();
  const other = await newToken();
  expect(one).not.toBe(other);
  // Links from several processes all work, for a day.
  for (const token of [one, other]) {
    expect(await openSetUpLink(token, now)).toEqual(expect.any(String));
    expect(await openSetUpLink(token, new Date(Date.now() + setUpLinkLife))).toBeNull();
  }
  const who = ['--username', 'ada', '--email', 'ada@example.org', '--password', 'some long words'];
  await json(['user', 'create', ...who]);
  expect(await openSetUpLink(await newToken(), now)).toEqual(expect.any(String));
  await json(['user', 'set-admin', 'ada']);
  expect(await failure(['setup-link'])).toContain('There is an admin already');
  expect(await openSetUpLink(one, now)).toBeNull();
});

test('setup-link: the oldest of many stop working, and another database knows none of them', async () => {
  await write('UPDATE users SET is_admin = FALSE, role = NULL', []);
  const tokens: string[] = [];
  const now = new Date();
  for (let made = 0; made < 21; made += 1) {
    const link = await newSetUpLink(new Date(now.getTime() + made));
    tokens.push(new URL(link ?? '').searchParams.get('token') ?? '');
  }
  expect(await openSetUpLink(tokens[0], now)).toBeNull();
  expect(await openSetUpLink(tokens[20], now)).toEqual(expect.any(String));
  expect(await read('SELECT hash FROM set_up_links', [])).toHaveLength(20);
  await write('DELETE FROM set_up_links', []);
  expect(await openSetUpLink(tokens[20], now)).toBeNull();
});
