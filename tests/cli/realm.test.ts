import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { verifyPassword } from '#lib/identity/passwords.ts';
import { checkClientAuthentication } from '#lib/oauth/client-auth.ts';
import { findClient } from '#lib/store/clients.ts';
import { read } from '#lib/store/engine/database.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { originalPassword } from '../identity/hashes/originals.ts';
import { files } from '../management/import/files.ts';
import { realmOf, singlePage, webApp } from '../management/import/realm.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { cli, folder, json } from './command-line.ts';

/*
 * A realm of Keycloak with 1,000 people and 20 apps comes by one command, and goes out again by those
 * that list: what was kept is counted. docs/import.md says what is not.
 */

type Told = Record<string, unknown>;
const {
  users: [ada],
} = JSON.parse(files.keycloak);
const people = Array.from({ length: 1000 }, (_, at) => ({
  ...ada,
  id: `${String(at).padStart(8, '0')}-43c6-4d2b-9d3a-8f1e2c3b4a5d`,
  username: `person${at}.of.acme`,
  email: `person${at}@example.org`,
  emailVerified: at % 2 === 0,
  enabled: at % 3 !== 0,
  lastName: `Lovelace ${at}`,
  requiredActions: at % 5 === 0 ? ['UPDATE_PASSWORD'] : [],
  groups: at % 7 === 0 ? ['/staff', '/staff/board'] : ['/staff'],
}));
const apps = Array.from({ length: 20 }, (_, at) =>
  at % 4 === 3
    ? singlePage(`page-${at}`)
    : webApp(`app-${at}`, { enabled: at !== 5, description: `The app ${at}` }),
) as (Told & { clientId: string; secret?: string; redirectUris: string[] })[];
const groups = [{ name: 'staff', subGroups: [{ name: 'board' }] }];

beforeAll(async () => {
  const databaseUrl = await createDatabase('sqlite');
  workOn(databaseUrl);
  Object.assign(process.env, { SERVER_SECRET: 's'.repeat(32), BCRYPT_COST: '4' });
  writeFileSync(resolve(folder, 'realm.json'), realmOf(apps, { users: people, groups }));
});

async function everybody(): Promise<Told[]> {
  const all: Told[] = [];
  let cursor: unknown = null;
  do {
    const next = cursor === null ? [] : ['--cursor', String(cursor)];
    const page = await json(['user', 'list', '--limit', '200', ...next]);
    all.push(...(page.users as Told[]));
    cursor = page.next ?? page.next_cursor ?? null;
  } while (cursor !== null);
  return all;
}

/** Everything that is stored. */
const stored = async () =>
  Promise.all(
    ['users', 'user_groups', 'group_members', 'clients', 'client_secrets', 'audit_events'].map(
      (table) => read(`SELECT * FROM ${table} ORDER BY 1, 2`, []),
    ),
  );

test('1,000 people and 20 apps come and go out again; a second import changes nothing', async () => {
  const asked = ['import', 'realm.json', '--from', 'keycloak', '--old-issuer', '--yes'];
  expect(await json(asked)).toMatchObject({ applied: true, collide: [], wrong: [] });
  const before = await stored();
  const again = await cli(asked);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/Nobody comes/)]);
  expect(await stored()).toEqual(before);

  const users = new Map((await everybody()).map((user) => [user.id, user]));
  const table: [what: string, of: number, kept: number][] = [];
  const count = <T>(what: string, all: readonly T[], isKept: (one: T) => boolean) =>
    table.push([what, all.length, all.filter(isKept).length]);
  const here = ({ id }: { id: string }) => users.get(id) ?? {};
  count('people, by their id', people, ({ id }) => users.has(id));
  count('usernames', people, (one) => here(one).username === one.username);
  count('addresses', people, (one) => here(one).email === one.email);
  count('proofs of an address', people, (one) => here(one).email_verified === one.emailVerified);
  count('names', people, (one) => here(one).name === `Ada ${one.lastName}`);
  count('disabled or not', people, (one) => here(one).disabled === !one.enabled);
  const board = await read<{ userId: string; name: string }>(
    'SELECT m.user_id, g.name FROM group_members m JOIN user_groups g ON g.id = m.group_id',
    [],
  );
  const inside = new Set(board.map(({ userId, name }) => `${userId} /${name}`));
  count('groups of people', people, ({ id, groups: all }) =>
    (all as string[]).every((path) => inside.has(`${id} ${path}`)),
  );
  const some = people.filter((_, at) => at % 100 === 0);
  const right: boolean[] = [];
  for (const { username } of some) {
    const user = await findUserByLogin(username);
    right.push(await verifyPassword(originalPassword, user?.passwordHash ?? null));
  }
  count('passwords (of 10 tried)', some, (one) => right[some.indexOf(one)] === true);

  const clients = new Map<string, Told>();
  for (const { clientId } of apps) clients.set(clientId, await json(['client', 'show', clientId]));
  const client = ({ clientId }: { clientId: string }) => clients.get(clientId) ?? {};
  const records = new Map(
    await Promise.all(
      apps.map(async ({ clientId }) => [clientId, await findClient(clientId)] as const),
    ),
  );
  count(
    'apps, by their id',
    apps,
    (app) => (client(app).id ?? client(app).client_id) !== undefined,
  );
  count('redirect URIs', apps, (app) =>
    app.redirectUris.every((uri) => (client(app).redirect_uris as string[]).includes(uri)),
  );
  count('secrets', apps, ({ clientId: id, secret }) => {
    if (secret === undefined) return records.get(id)?.type === 'public';
    // A disabled one is let in with nothing.
    if (id === 'app-5') return true;
    checkClientAuthentication(records.get(id) ?? null, { id, secret, usedBasic: true });
    return true;
  });
  count('issuer', apps, (app) => client(app).old_issuer === '/realms/acme');
  const lines = table.map(
    ([what, of, kept]) => `${what.padEnd(26)} ${String(kept).padStart(5)} of ${of}`,
  );
  console.info(`What was kept of a realm:\n${lines.join('\n')}`);
  expect(table.filter(([, of, kept]) => of !== kept)).toEqual([]);
}, 180_000);
