import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { listYourApps, mostApps, orderYourApps } from '#lib/management/your-apps.ts';
import { write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';
import type { TestClient } from '../support/seed.ts';
import { newClient, newUser } from '../support/seed.ts';
import { actor, unique } from './people.ts';

const homePage = 'https://app.example/';
const row = (sql: string, ...params: string[]) => write(sql, [...params, new Date()]);
const listGroup = ({ id }: TestClient, group: string) =>
  row('INSERT INTO client_groups (client_id, group_id, created_at) VALUES ($1, $2, $3)', id, group);
const listUser = ({ id }: TestClient, user: string) =>
  row('INSERT INTO client_users (client_id, user_id, created_at) VALUES ($1, $2, $3)', id, user);
const join = (group: string, user: string) =>
  row('INSERT INTO group_members (group_id, user_id, created_at) VALUES ($1, $2, $3)', group, user);

onEachDatabase(() => {
  const seen = async (user: { id: string; username: string }, search?: string) =>
    (await listYourApps(user, search)).rows.map(({ clientId }) => clientId);

  test('the list of a user’s apps has those that the user may use, and no other', async () => {
    const member = await newUser();
    const named = await newUser();
    const outsider = await newUser();
    const now = new Date();
    const { id: group } = await createGroup({ name: unique('group') }, actor, now);
    const { id: empty } = await createGroup({ name: unique('group') }, actor, now);
    await join(group, member.id);
    const everybody = await newClient({ homePage });
    const byGroup = await newClient({ homePage, access: 'listed' });
    const byName = await newClient({ homePage, access: 'listed' });
    const byBoth = await newClient({ homePage, access: 'listed' });
    const ofNobody = await newClient({ homePage, access: 'listed' });
    const ofEmpty = await newClient({ homePage, access: 'listed' });
    await listGroup(byGroup, group);
    await listUser(byName, named.id);
    await listGroup(byBoth, group);
    await listUser(byBoth, named.id);
    await listUser(byBoth, member.id);
    await listGroup(ofEmpty, empty);
    const apps = { everybody, byGroup, byName, byBoth, ofNobody, ofEmpty };
    const names = async (user: typeof member) => {
      const ids = await seen(user);
      return Object.entries(apps).flatMap(([name, { id }]) =>
        ids.filter((each) => each === id).map(() => name),
      );
    };
    expect(await names(member)).toEqual(['everybody', 'byGroup', 'byBoth']);
    expect(await names(named)).toEqual(['everybody', 'byName', 'byBoth']);
    expect(await names(outsider)).toEqual(['everybody']);
    await write('DELETE FROM group_members WHERE group_id = $1', [group]);
    expect(await names(member)).toEqual(['everybody', 'byBoth']);
  });

  test('the list of a user’s apps leaves out disabled apps, machine clients and apps without a home page', async () => {
    const user = await newUser();
    const hidden = [
      await newClient({ homePage, disabled: true }),
      await newClient({ homePage, grants: ['client_credentials'] }),
      await newClient(),
      await newClient({ homePage: '' }),
    ];
    const shown = await newClient({ homePage, grants: ['authorization_code'] });
    const ids = await seen(user);
    expect(ids).toContain(shown.id);
    for (const { id } of hidden) expect(ids).not.toContain(id);
  });

  test('the login initiation address of an app gets iss and login_hint; a home page gets nothing', async () => {
    const user = await newUser();
    const initiateLoginUri = 'https://app.example/start?tenant=a%20b';
    const begins = await newClient({ homePage, initiateLoginUri });
    const plain = await newClient({ homePage });
    const { rows } = await listYourApps(user);
    const startOf = ({ id }: TestClient) => rows.find(({ clientId }) => clientId === id)?.start;
    expect(startOf(plain)).toBe(homePage);
    const start = startOf(begins) ?? '';
    expect(start.startsWith(`${initiateLoginUri}&iss=`)).toBe(true);
    expect(Object.fromEntries(new URL(start).searchParams)).toEqual({
      tenant: 'a b',
      iss: config().issuer,
      login_hint: user.username,
    });
    expect(JSON.stringify(rows)).not.toContain(user.email);
  });

  test('apps that the user has allowed come first, also without a home page', async () => {
    const user = await newUser();
    const unused = await newClient({ homePage });
    const used = await newClient();
    const allowed = await newClient();
    const now = new Date();
    for (const [{ id }, lastUsedAt] of [
      [allowed, null],
      [used, now],
    ] as const)
      await (await prisma()).grant.create({
        data: {
          id: `grant-${id}`,
          userId: user.id,
          clientId: id,
          scopes: '',
          createdAt: now,
          updatedAt: now,
          lastUsedAt,
        },
      });
    const { rows } = await listYourApps(user);
    const ours = rows.filter(({ clientId }) => [unused.id, used.id, allowed.id].includes(clientId));
    expect(ours.map(({ clientId, start, connected }) => [clientId, start, connected])).toEqual([
      [used.id, undefined, true],
      [allowed.id, undefined, true],
      [unused.id, homePage, false],
    ]);
  });

  test('the list of a user’s apps is searched by name, and limited in length', async () => {
    const user = await newUser();
    const word = unique('Searchable');
    for (let index = 0; index <= mostApps; index++)
      await newClient({ homePage, name: `${word} ${index}` });
    const all = await listYourApps(user, word.toUpperCase());
    expect([all.rows.length, all.more]).toEqual([mostApps, true]);
    expect(await seen(user, `${word} 48`)).toHaveLength(1);
    for (const search of ['%', '_', `${word}%`, '\\', 'x'.repeat(5000), '\0'])
      expect((await seen(user, search)).length, search.slice(0, 9)).toBeLessThanOrEqual(mostApps);
    expect(await seen(user, `${word}_48`)).toEqual([]);
  });

  test('the user’s own order of apps comes first, also in a search, and apps they may not use have no place in it', async () => {
    const user = await newUser();
    const other = await newUser();
    const named = async (name: string) =>
      (await newClient({ name: `Ordered ${name} ${user.username}`, homePage })).id;
    const one = await named('1');
    const two = await named('2');
    const three = await named('3');
    const closed = (await newClient({ homePage, access: 'listed' })).id;
    await orderYourApps(user, [three, closed, one, 'no-such-app', three]);
    expect((await seen(user)).slice(0, 2)).toEqual([three, one]);
    expect(await seen(user, user.username)).toEqual([three, one, two]);
    const { rows } = await listYourApps(user, user.username);
    expect(rows.map(({ placed }) => placed)).toEqual([true, true, false]);
    expect(await seen(other, user.username)).toEqual([one, two, three]);
    await orderYourApps(user, []);
    expect(await seen(user, user.username)).toEqual([one, two, three]);
  });
});
