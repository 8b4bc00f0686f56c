import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { cli as runCommand } from '../cli/command-line.ts';
import { apart } from '../support/apart.ts';
import { keyWith } from '../support/api.ts';
import { openServer } from '../support/open-server.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-remote-'));
const nobodys = resolve(folder, 'nothing.db');

function keyFile(name: string, text: string, mode = 0o600): string {
  const path = resolve(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** The command line as on another machine, without a database. */
const cli = (...args: string[]) => {
  const env = { ...apart(), DATABASE_URL: `file:${nobodys}` };
  return runCommand(args, undefined, { ...env, NODE_ENV: 'production' });
};

test('the command line with --server works through the API, and touches no local database', async () => {
  const name = `Remote ${Math.random()}`;
  const key = await keyWith(['group:loosen', 'api-key:read'], { name });
  const at = ['--server', server.base, '--key-file', keyFile('key', `${key}\n`), '--json'];
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...at, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const group = `remote ${Math.random()}`;
  const made = await json('group', 'create', group);
  const { username } = await newUser();
  expect(await json('group', 'add', group, username)).toMatchObject({ id: made.id });
  expect(await json('group', 'show', group.toUpperCase())).toMatchObject({
    id: made.id,
    member_count: 1,
    members: [{ username }],
  });
  const { groups } = await json('group', 'list', '--search', group);
  expect(groups).toMatchObject([{ id: made.id }]);
  expect(await json('group', 'delete', String(made.id))).toMatchObject({ deleted: true });
  const { rows } = await listAudit({ actor: `key:${name}` });
  expect(rows.map(({ type }) => type)).toEqual([
    'group.deleted',
    'group.member-added',
    'group.created',
  ]);
  expect(existsSync(nobodys)).toBe(false);
  const text = await cli(...at.slice(0, 4), 'api-key', 'show', name);
  expect(text.stdout).toMatch(/^expires +\d{4}-\d\d-\d\d/m);
});

test('a command finds a user by id, then by user name or email, and an app by client_id, never by display name', async () => {
  const key = await keyWith(['user:loosen', 'client:loosen', 'group:loosen', 'identity:read']);
  const at = ['--server', server.base, '--key-file', keyFile('names', key), '--json'];
  const shown = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...at, ...args);
    return code === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : stderr.trim();
  };
  const ann = await newUser();
  const bob = await newUser();
  // Mallory's user name is Ann's id, and Mallory has taken Bob's user name as a display name.
  const mallory = await newUser({ name: bob.username });
  const stored = { username: ann.id, usernameKey: ann.id };
  await (await prisma()).user.update({ where: { id: mallory.id }, data: stored });
  expect(await shown('user', 'show', ann.id)).toMatchObject({ id: ann.id });
  const group = (await shown('group', 'create', `g ${Math.random()}`)) as { id: string };
  const other = (await shown('group', 'create', group.id)) as { id: string };
  expect(await shown('group', 'delete', group.id)).toMatchObject({ id: group.id, deleted: true });
  expect(await shown('group', 'show', group.id)).toMatchObject({ id: other.id });
  expect(await shown('user', 'show', bob.username.toUpperCase())).toMatchObject({ id: bob.id });
  expect(await shown('user', 'show', bob.email)).toMatchObject({ id: bob.id });
  expect(await shown('identity', 'list', bob.username)).toMatchObject({ identities: [] });
  const called = await newUser({ name: 'Only A Name' });
  for (const typed of ['Only A Name', 'only a name'])
    expect(await shown('user', 'disable', typed)).toMatch(/404/);
  expect(await shown('user', 'show', called.id)).toMatchObject({ disabled: false });
  // An app is found only by its client_id.
  const app = await newClient({ name: 'Calendar' });
  expect(await shown('client', 'disable', 'Calendar')).toMatch(/404/);
  expect(await shown('client', 'show', app.id)).toMatchObject({ disabled: false });
});

test.each<[string, () => Promise<string[]>, RegExp]>([
  [
    'a right that is missing',
    async () => [
      '--key-file',
      keyFile('reads', await keyWith(['group:read'])),
      'group',
      'create',
      'x',
    ],
    /needs the right group:write.*403/,
  ],
  [
    'what the API has not',
    async () => ['--key-file', keyFile('k1', await keyWith(['group:read'])), 'backup', 'x'],
    /on the server’s own machine/,
  ],
  [
    'a file that others read',
    async () => ['--key-file', keyFile('open', 'gh_ak_x', 0o644), 'group', 'list'],
    /chmod 600/,
  ],
  [
    'a file without a key',
    async () => ['--key-file', keyFile('none', 'hello'), 'group', 'list'],
    /no API key/,
  ],
  ['no file', async () => ['group', 'list'], /belong together/],
])('command line with --server: %s is refused in one line', async (_, args, words) => {
  const { code, stdout, stderr } = await cli('--server', server.base, ...(await args()));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trim()).toMatch(words);
  expect(stderr.trim()).not.toContain('\n');
});

test.each(['http://id.example.org', 'ftp://localhost', 'https://a:b@id.example.org', 'nonsense'])(
  'command line with --server: no key is sent to %s',
  async (server) => {
    const file = keyFile('k2', await keyWith(['group:read']));
    const { code, stderr } = await cli('--server', server, '--key-file', file, 'group', 'list');
    expect([code, stderr]).toEqual([1, expect.stringContaining('with https')]);
  },
);
