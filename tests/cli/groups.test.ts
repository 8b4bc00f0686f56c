import { beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { cli, failure, json } from './command-line.ts';

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase('sqlite'),
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
  });
});

const newPerson = (name: string, ...more: string[]) => {
  const options = ['--email', `${name}@example.org`, '--password', 'correct horse battery staple'];
  return json(['user', 'create', '--username', name, ...options, ...more]);
};

test('group: create, update, list, show, add, remove, delete', async () => {
  const ada = await newPerson('ada');
  const bob = await newPerson('bob');
  const made = await json(['group', 'create', 'editors', '--description', 'They write']);
  expect(made).toMatchObject({ name: 'editors', description: 'They write' });
  const renamed = await json(['group', 'update', 'EDITORS', '--name', 'Writers']);
  expect(renamed).toMatchObject({ id: made.id, name: 'Writers', description: 'They write' });
  expect(await json(['group', 'add', 'writers', 'ada', 'BOB@example.org'])).toMatchObject({
    name: 'Writers',
    added: [ada.id, bob.id],
    already: [],
  });
  expect((await cli(['group', 'add', 'writers', 'ada'])).stdout).toBe(
    'Writers: 0 added; 1 were in it already.\n',
  );
  const shown = await json(['group', 'show', String(made.id), '--search', 'b']);
  expect(shown).toMatchObject({ member_count: 1, apps: 0, members: [{ username: 'bob' }] });
  expect((await cli(['group', 'show', 'Writers'])).stdout).toMatch(
    /members +2\n[\s\S]*ada@example\.org/,
  );
  expect(await json(['user', 'show', 'ada'])).toMatchObject({ groups: ['Writers'] });
  expect((await cli(['user', 'show', 'ada'])).stdout).toMatch(/^groups +Writers$/m);
  const listed = { name: 'Writers', member_count: 2, apps: 0 };
  for (const filter of [[], ['--search', 'wri'], ['--user', 'ada']])
    expect((await json(['group', 'list', ...filter])).groups).toMatchObject([listed]);
  expect((await json(['group', 'list', '--empty'])).groups).toEqual([]);
  expect(await json(['group', 'remove', 'writers', 'ada'])).toMatchObject({
    removed: [ada.id],
    not_in_it: [],
  });
  expect(await json(['group', 'delete', 'writers'])).toEqual({
    id: made.id,
    name: 'Writers',
    deleted: true,
    members: 1,
    apps: 0,
  });
  expect(await failure(['group', 'show', 'writers'])).toContain('"writers"');
});

test('user create and invite with several --group options', async () => {
  for (const name of ['one', 'two']) await json(['group', 'create', name]);
  const both = ['--group', 'one', '--group', 'TWO'];
  expect(await newPerson('grace', ...both)).toMatchObject({ groups: ['one', 'two'] });
  const email = ['--email', 'new@example.org'];
  expect(await json(['user', 'invite', ...email, ...both])).toMatchObject({
    groups: ['one', 'two'],
  });
  expect((await json(['user', 'invitations'])).invitations).toMatchObject([
    { email: 'new@example.org', groups: ['one', 'two'] },
  ]);
  expect((await cli(['user', 'invite', '--email', 'newer@example.org'])).stdout).toMatch(
    /^mailed +no: MAIL_URL is not set/m,
  );
  expect(await failure(['user', 'invite', ...email, '--group', 'none'])).toContain('“none”');
});

test('group create reports an invalid name in one line', async () => {
  expect(await failure(['group', 'create', 'a,b'])).toContain('comma');
  expect(await failure(['group', 'create', ' a'])).toContain('space');
  expect(await failure(['group', 'create', 'ONE'])).toContain('already a group');
  expect(await failure(['group', 'add', 'one', 'nobody', 'grace'])).toContain('nobody');
  expect((await json(['group', 'show', 'one'])).member_count).toBe(1);
});
