import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPassword } from '#lib/identity/passwords.ts';
import type { Client } from '#lib/oauth/client.ts';
import { checkClientAuthentication } from '#lib/oauth/client-auth.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { originalPassword } from '../identity/hashes/originals.ts';
import { peopleOf, realmOf, singlePage, webApp } from '../import/realm.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { cli, folder, json } from './command-line.ts';

/*
 * A Keycloak realm with 1,000 people and 20 apps is imported by one command. It then goes on to a
 * second, empty Gatehouse: by a backup, and by the exported files, which contain no passwords. What
 * is kept on each way is counted for the table in docs/import.md.
 */

type Told = Record<string, unknown>;
const people = peopleOf(1000);
const apps = Array.from({ length: 20 }, (_, at) =>
  at % 4 === 3
    ? singlePage(`page-${at}`)
    : webApp(`app-${at}`, { enabled: at !== 5, description: `The app ${at}` }),
) as (Told & { clientId: string; secret?: string; redirectUris: string[] })[];
const groups = [{ name: 'staff', subGroups: [{ name: 'board' }] }];
const asked = ['import', 'realm.json', '--from', 'keycloak', '--old-issuer', '--yes'];
let first = '';

beforeAll(async () => {
  first = await createDatabase('sqlite');
  workOn(first);
  writeFileSync(resolve(folder, 'realm.json'), realmOf(apps, { users: people, groups }));
});

/** Every user that a list finds, over all pages. */
async function everybody(...filter: string[]): Promise<Told[]> {
  const all: Told[] = [];
  let cursor: unknown = null;
  do {
    const next = cursor === null ? [] : ['--cursor', String(cursor)];
    const page = await json(['user', 'list', ...filter, '--limit', '200', ...next]);
    all.push(...(page.users as Told[]));
    cursor = page.next ?? page.next_cursor ?? null;
  } while (cursor !== null);
  return all;
}

const moved = ['users', 'user_groups', 'group_members', 'clients', 'client_secrets'];
/** Every row that the realm created. */
const stored = async (...tables: string[]) =>
  Promise.all(
    [...moved, ...tables].map((table) => read(`SELECT * FROM ${table} ORDER BY 1, 2`, [])),
  );

/** Importing the same file again changes nothing. */
async function expectAgainNothing(): Promise<void> {
  const before = await stored('audit_events');
  const again = await cli(asked);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/Nothing to import/)]);
  expect(await stored('audit_events')).toEqual(before);
}

/** How many of a realm's things are unchanged on the server that this process works on. */
async function kept(): Promise<Record<string, [kept: number, of: number]>> {
  const users = new Map((await everybody()).map((user) => [user.id, user]));
  const here = ({ id }: { id: string }) => users.get(id) ?? {};
  const memberships = await read<{ userId: string; name: string }>(
    'SELECT m.user_id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id',
    [],
  );
  const inside = new Set(memberships.map(({ userId, name }) => `${userId} /${name}`));
  const count = <T>(all: readonly T[], isKept: (one: T) => boolean): [number, number] => [
    all.filter(isKept).length,
    all.length,
  ];
  const some = people.filter((_, at) => at % 100 === 0);
  const passwords: boolean[] = [];
  for (const { username } of some) {
    const user = await findUserByLogin(username);
    passwords.push(await verifyPassword(originalPassword, user?.passwordHash ?? null));
  }
  const clients = new Map<string, Client | null>();
  for (const { clientId } of apps) clients.set(clientId, await findClient(clientId));
  const client = ({ clientId }: { clientId: string }) => clients.get(clientId);
  const known = apps.filter((app) => client(app));
  return {
    'People, by the id that apps know': count(people, ({ id }) => users.has(id)),
    Usernames: count(people, (one) => here(one).username === one.username),
    'Email addresses': count(people, (one) => here(one).email === one.email),
    'Proofs of an address': count(people, (one) => here(one).email_verified === one.emailVerified),
    Names: count(people, (one) => here(one).name === `Ada ${one.lastName}`),
    Languages: count(people, (one) => (here(one).claims as Told)?.locale === 'de'),
    'Who is disabled': count(people, (one) => here(one).disabled === !one.enabled),
    'Who is in which group': count(people, ({ id, groups: all }) =>
      (all as string[]).every((path) => inside.has(`${id} ${path}`)),
    ),
    Passwords: count(some, (one) => passwords[some.indexOf(one)] === true),
    'Who must choose a new password': count(
      people,
      (one) => here(one).must_change_password === one.requiredActions.length > 0,
    ),
    'Apps, by their client ID': [known.length, apps.length],
    'Which apps are disabled': count(
      apps,
      (app) => client(app)?.disabled === (app.enabled === false),
    ),
    'Client secrets': count(apps, (app) => opens(client(app) ?? null, app)),
    'Redirect URIs': count(apps, (app) =>
      app.redirectUris.every((uri) => client(app)?.redirectUris.includes(uri)),
    ),
    'The old issuer': count(apps, (app) => client(app)?.oldIssuer === '/realms/acme'),
  };
}

function opens(client: Client | null, { clientId: id, secret }: (typeof apps)[number]): boolean {
  if (secret === undefined) return client?.type === 'public';
  // A disabled client is never let in, so this tests whether its secret would be accepted.
  const enabled = client && { ...client, disabled: false };
  try {
    checkClientAuthentication(enabled, { id, secret, usedBasic: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Each app's settings, except what no file contains: when it was created, and whether it is
 * disabled.
 */
async function settings(): Promise<Told[]> {
  const rows = await read<Told>('SELECT * FROM clients ORDER BY id', []);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !/At$|^epoch$/.test(name))),
  );
}

/** The counts for each way, for the table in the documentation. */
const ways: Record<string, Awaited<ReturnType<typeof kept>>> = {};

test('import of a Keycloak realm keeps everything, and a second import changes nothing', async () => {
  expect(await json(asked)).toMatchObject({ applied: true, collide: [], wrong: [] });
  await expectAgainNothing();
  ways.import = await kept();
  expect(Object.entries(ways.import).filter(([, [some, all]]) => some !== all)).toEqual([]);
}, 180_000);

test('a backup moves an imported realm to PostgreSQL, where a second import changes nothing either', async () => {
  const before = await stored();
  await json(['backup', 'realm.backup']);
  workOn(await createEmptyDatabase('postgresql'));
  await json(['restore', 'realm.backup']);
  expect(await stored()).toEqual(before);
  await expectAgainNothing();
  ways.backup = await kept();
  expect(ways.backup).toEqual(ways.import);
  workOn(first);
}, 180_000);

test('export without passwords keeps the rest of an imported realm, and a second import adds no user', async () => {
  const before = await settings();
  await json(['export', 'gatehouse.yaml', '--with-hashes']);
  const members = new Map<unknown, string[]>();
  for (const group of ['staff', 'staff/board'])
    for (const { id } of await everybody('--member-of', group))
      members.set(id, [...(members.get(id) ?? []), group]);
  const listed = (await everybody()).map((user) => ({
    id: user.id,
    username: user.username,
    email: user.email,
    name: user.name,
    email_verified: user.email_verified,
    disabled: user.disabled,
    claims: user.claims,
    must_change_password: user.must_change_password,
    groups: members.get(user.id) ?? [],
  }));
  writeFileSync(resolve(folder, 'people.json'), JSON.stringify({ people: listed }));
  workOn(await createDatabase('sqlite'));
  await json(['apply', 'gatehouse.yaml', '--yes']);
  expect(await json(['import', 'people.json', '--from', 'json', '--yes'])).toMatchObject({
    applied: true,
    collide: [],
    wrong: [],
  });
  expect(await settings()).toEqual(before);
  await expectAgainNothing();
  ways.files = await kept();
  workOn(first);
}, 180_000);

afterAll(() => {
  const said = ([some, all]: [number, number]) =>
    some === all ? 'kept' : some === 0 ? 'not' : `${some} of ${all}`;
  const rows = Object.keys(ways.import ?? {}).map(
    (what) =>
      `| ${[what, ...['import', 'backup', 'files'].map((way) => said(ways[way]?.[what] ?? [0, 1]))].join(' | ')} |`,
  );
  expect(readFileSync('docs/import.md', 'utf8')).toContain(rows.join('\n'));
});
