import { expect, test } from 'vitest';
import { setUpToken } from '#lib/identity/set-up.ts';
import { createDatabase } from '../support/database.ts';
import { failure, json } from './command-line.ts';

Object.assign(process.env, {
  SERVER_SECRET: 's'.repeat(32),
  BCRYPT_COST: '4',
  DATABASE_URL: await createDatabase('sqlite'),
});

test('setup-link: the link of the first admin, until there is one', async () => {
  const link = { url: `http://localhost:3000/setup?token=${setUpToken()}` };
  expect(await json(['setup-link'])).toEqual(link);
  const who = ['--username', 'ada', '--email', 'ada@example.org', '--password', 'some long words'];
  await json(['user', 'create', ...who]);
  expect(await json(['setup-link'])).toEqual(link);
  await json(['user', 'set-admin', 'ada']);
  expect(await failure(['setup-link'])).toContain('There is an admin already');
});
