import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import * as users from '#lib/management/user/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, newPerson } from './people.ts';

const now = () => new Date();
const admins = async () => (await users.listUsers({ admin: true, disabled: false })).rows;

/** Makes a person who is the only admin. */
async function onlyAdmin() {
  const only = await newPerson({ admin: true });
  for (const other of await admins())
    if (other.id !== only.id) await users.setAdmin(other.id, false, actor, now());
  return only;
}

const ways = {
  demoting: (id: string) => users.setAdmin(id, false, actor, now()),
  disabling: (id: string) => users.disableUser(id, actor, now()),
  deleting: (id: string) => users.deleteUser(id, actor, now()),
};

onEachDatabase(() => {
  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    '%s the last admin is refused and changes nothing',
    async (way) => {
      const only = await onlyAdmin();
      const faults = await faultsOf(ways[way](only.id));
      expect(faults.user).toContain('last admin');
      expect(await users.showUser(only.id)).toEqual(only);
      expect((await listAudit({ userId: only.id })).rows.map((row) => row.type)).toEqual([
        'user.created',
      ]);
    },
  );

  test('a disabled admin does not count as another admin', async () => {
    const only = await onlyAdmin();
    const asleep = await newPerson({ admin: true });
    await users.disableUser(asleep.id, actor, now());
    expect(await faultsOf(users.setAdmin(only.id, false, actor, now()))).toHaveProperty('user');
    await users.setAdmin(asleep.id, false, actor, now());
    expect((await admins()).map((user) => user.id)).toEqual([only.id]);
  });

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    'twenty requests at the same time, %s two admins, leave one',
    async (way) => {
      for (let round = 0; round < 5; round += 1) {
        const pair = [await onlyAdmin(), await newPerson({ admin: true })];
        const tries = Array.from({ length: 20 }, (_, index) =>
          ways[way](pair[index % 2]?.id ?? ''),
        );
        const refused = (await Promise.allSettled(tries)).filter(
          (result) => result.status === 'rejected',
        );
        expect(await admins()).toHaveLength(1);
        expect(refused.length).toBeGreaterThan(0);
        // On a busy machine a request can wait for the others longer than a lock may take.
        for (const { reason } of refused)
          expect(['AdminRefusal', 'DatabaseAway']).toContain((reason as Error).name);
      }
    },
  );

  test('demoting, disabling and deleting three admins at the same time leaves one', async () => {
    await onlyAdmin();
    await Promise.all([newPerson({ admin: true }), newPerson({ admin: true })]);
    const tries = (await admins()).flatMap(({ id }) => Object.values(ways).map((way) => way(id)));
    expect(tries).toHaveLength(9);
    await Promise.allSettled(tries);
    expect(await admins()).toHaveLength(1);
  });
});
