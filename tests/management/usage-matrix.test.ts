import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readMatrix, readUsableApps } from '#lib/management/grant/matrix.ts';
import { exportMatrix } from '#lib/management/grant/matrix-export.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { write } from '#lib/store/engine/database.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { newGroup } from '../support/groups.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newClient, newUser } from '../support/seed.ts';
import { unique } from './people.ts';

const now = () => new Date();
const used = new Date(Date.UTC(2026, 10, 3));
const first = { people: 1, apps: 1 };

async function approve(userId: string, clientId: string, at: Date | null) {
  const scopes = { scopes: ['openid'], remembered: [] };
  const id = await widenGrantOf({ userId, clientId }, null, scopes, now());
  await write('UPDATE grants SET last_used_at = :at WHERE id = :id', { at, id });
}

const list = (clientId: string, userId: string) =>
  write(
    'INSERT INTO client_users (client_id, user_id, created_at) VALUES (:clientId, :userId, :now)',
    { clientId, userId, now: now() },
  );
const listGroup = (clientId: string, groupId: string) =>
  write(
    'INSERT INTO client_groups (client_id, group_id, created_at) VALUES (:clientId, :groupId, :now)',
    { clientId, groupId, now: now() },
  );

onEachDatabase(() => {
  test('people and apps: who may use an app by name, by group or as one of everybody, and who did and no longer may', async () => {
    const word = unique('Matrix');
    const of = (name: string) => newUser({ name: `${word} ${name}` });
    const ann = await of('A');
    const bob = await of('B');
    const cat = await of('C');
    const dan = await of('D');
    const open = await newClient({ name: unique('aa open') });
    const closed = await newClient({ name: unique('aa payroll'), access: 'listed' });
    const off = await newClient({ name: unique('aa off'), disabled: true });
    await list(closed.id, ann.id);
    await listGroup(closed.id, await newGroup(bob, dan));
    await disableUser(dan.id, { id: 'cli' }, now());
    await approve(bob.id, closed.id, used);
    await approve(cat.id, closed.id, used);
    await approve(ann.id, open.id, null);
    const { people, usageOf } = await readMatrix({ search: word }, {}, first);
    expect(people.rows.map(({ id }) => id)).toEqual([ann, bob, cat, dan].map(({ id }) => id));
    const ways = (app: { id: string }) =>
      [ann, bob, cat, dan].map((user) => usageOf(user.id, app.id).way);
    const everyone = { by: 'everyone' };
    const inGroup = { by: 'group', group: expect.any(String) };
    expect(ways(open)).toEqual([everyone, everyone, everyone, null]);
    expect(ways(closed)).toEqual([{ by: 'name' }, inGroup, null, null]);
    expect(ways(off)).toEqual([null, null, null, null]);
    expect(usageOf(bob.id, closed.id).usedAt).toEqual(used);
    expect(usageOf(cat.id, closed.id)).toMatchObject({ way: null, usedAt: used });
    expect(usageOf(ann.id, open.id).usedAt).toBeNull();
    expect(usageOf(ann.id, open.id).allowedAt).toBeInstanceOf(Date);
    expect(usageOf(ann.id, closed.id).allowedAt).toBeNull();
    const listing = await readMatrix({ search: word }, { access: 'listed' }, first);
    expect(listing.apps.rows.every((app) => !app.open)).toBe(true);
    const usable = async (id: string) =>
      readUsableApps({ id, disabledAt: id === dan.id ? now() : null });
    const one = { id: closed.id };
    expect(await usable(ann.id)).toMatchObject({ apps: [{ ...one, way: { by: 'name' } }] });
    expect(await usable(bob.id)).toMatchObject({
      listing: { count: 1, more: false },
      apps: [{ ...one, way: inGroup }],
    });
    expect((await usable(cat.id))?.apps).toEqual([]);
    expect((await usable(cat.id))?.open.count).toBeGreaterThan(0);
    expect(await usable(dan.id)).toBeNull();
    const whoMay = async (clientId: string) =>
      (await readMatrix({ search: word }, { clientId }, first)).people.rows.map(({ id }) => id);
    expect(await whoMay(closed.id)).toEqual([ann.id, bob.id]);
    expect(await whoMay(open.id)).toEqual([ann.id, bob.id, cat.id]);
    expect(await whoMay(off.id)).toEqual([]);
    expect(await whoMay('nothing')).toEqual([]);
    const lines = (await readText(exportMatrix({ search: word }, { clientId: closed.id })))
      .trim()
      .split('\r\n');
    expect(lines[0]).toBe(
      'user_id,username,name,client_id,client_name,may_use,allowed_at,last_used_at,through,group',
    );
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(`${bob.id},${bob.username},${word} B,${closed.id},`);
    expect(lines[1]).toMatch(/,true,[^,]+,2026-11-03T00:00:00.000Z,group,[^,]+$/);
    expect(lines[2]).toMatch(/,true,,,name,$/);
    const all = await readText(exportMatrix({ search: word }, {}));
    expect(all).toMatch(new RegExp(`${cat.id},.*,${closed.id},.*,false,.+,2026-11-03T`));
    expect(all).not.toContain(`,${off.id},`);
  });

  test('people and apps: six apps on a page, by name; apps without user sign-in are left out', async () => {
    const word = unique('0');
    const names = Array.from({ length: 8 }, (_, index) => `${word} ${index}`);
    for (const name of names.toReversed()) await newClient({ name });
    await newClient({ name: `${word} 9`, grants: ['client_credentials'] });
    await newUser();
    const at = async (apps: number) => {
      const { rows, page } = (await readMatrix({}, {}, { people: 1, apps })).apps;
      return { page, names: rows.map(({ name }) => name).filter((name) => name.startsWith(word)) };
    };
    expect(await at(1)).toEqual({ page: 1, names: names.slice(0, 6) });
    expect(await at(2)).toEqual({ page: 2, names: names.slice(6) });
    const last = await at(9999);
    expect(last.page).toBeLessThan(10);
  });
});
