import { beforeAll, describe, expect, test } from 'vitest';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { batches } from '#lib/management/batch/run.ts';
import { clientActs } from '#lib/management/client/acts.ts';
import { deletionActs } from '#lib/management/deletion/acts.ts';
import { groupActs } from '#lib/management/group/acts.ts';
import { createGroup, showGroup, updateGroup } from '#lib/management/group/groups.ts';
import { createProvider } from '#lib/management/provider/providers.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { disableUser, userWithId } from '#lib/management/user/users.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { insertingRows } from '#lib/store/engine/many-rows.ts';
import type { SqlValue } from '#lib/store/engine/statement.ts';
import { deleteDueUser } from '#lib/store/user-changes.ts';
import { tables } from '#prisma/generated/tables.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { actor, faultsOf, newApp, unique } from './people.ts';

const now = () => new Date();
const by = (): By => ({ ...actingAs('admin', actor), now: now(), demandFresh: () => {} });
const list = async () => (await perform(deletionActs.list, {}, by())).deletions;
const idOf = async (subject: string) =>
  (await list()).find((each) => each.subject === subject)?.id ?? '';
const restore = (id: string) => perform(deletionActs.restore, { id }, by());

type Parents = Readonly<Record<string, string>>;
const parentsOf = (table: string): Parents => tables[table as keyof typeof tables].parents;
/** What ends with a deletion, written by hand: everything else has to come back. */
const endsAlways = [
  'sessions',
  'remembered_devices',
  'app_passwords',
  'device_authorizations',
  'mailed_links',
  'traces',
];
const goingWith = (root: string) =>
  Object.keys(tables).filter((table) => Object.values(parentsOf(table)).includes(root));
const columnTo = (table: string, root: string) =>
  Object.entries(parentsOf(table)).find(([, parent]) => parent === root)?.[0] ?? '';

/** One row in each table whose rows go with this one, with a value in every column. */
async function fill(root: string, subject: string, others: Parents): Promise<string[]> {
  const filled = goingWith(root).filter((table) =>
    Object.values(parentsOf(table)).every((parent) => parent === root || parent in others),
  );
  for (const table of filled) {
    const { columns } = tables[table as keyof typeof tables];
    const row = Object.entries(columns).map(([column, kind]): [string, SqlValue] => {
      const parent = parentsOf(table)[column];
      if (parent) return [column, parent === root ? subject : (others[parent] ?? null)];
      const values = {
        text: unique(column),
        number: 7,
        flag: true,
        moment: new Date(Date.now() + 3_600_000),
        bytes: Buffer.from([0, 1, 254, 255]),
      };
      return [column, values[kind as keyof typeof values]];
    });
    const { sql, params } = insertingRows(
      table,
      [Object.fromEntries(row)],
      'ON CONFLICT DO NOTHING',
    );
    await write(sql, params);
  }
  return filled;
}

async function rowsOf(root: string, subject: string) {
  const found: Record<string, unknown[]> = {};
  for (const table of [root, ...goingWith(root)]) {
    const columns = Object.keys(tables[table as keyof typeof tables].columns)
      .filter((column) => table !== root || !['updated_at', 'epoch'].includes(column))
      .join(', ');
    const which = table === root ? 'id' : columnTo(table, root);
    const rows = await read(`SELECT ${columns} FROM ${table} WHERE ${which} = :subject`, {
      subject,
    });
    found[table] = rows.sort((one, other) =>
      JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
    );
  }
  return found;
}

onEachDatabase(() => {
  beforeAll(leaveQueuesToServer);

  async function others(): Promise<Record<string, string>> {
    const group = await createGroup({ name: unique('group') }, actor, now());
    const { client } = await newApp();
    const { id: user } = await newUser();
    const provider = await createProvider(
      { kind: 'google', clientId: 'x', clientSecret: 'y', slug: unique('p').slice(0, 30) } as never,
      actor,
      now(),
    ).catch(() => null);
    const name = unique('field').replace(/\W/g, '_');
    await write(
      `INSERT INTO user_fields (name, label, type, editor, scope, created_at) VALUES (:name, 'x', 'text', 'admin', 'profile', :now)`,
      { name, now: now() },
    );
    return {
      users: user,
      user_groups: group.id,
      clients: client.id,
      user_fields: name,
      ...(provider && { providers: provider }),
    };
  }

  describe('what an admin deletes', () => {
    test.each([
      [
        'users',
        async () => (await newUser()).id,
        (id: string) => perform(userActs.delete, { id }, by()),
      ],
      [
        'clients',
        async () => (await newApp()).client.id,
        (client_id: string) => perform(clientActs.delete, { client_id }, by()),
      ],
      [
        'user_groups',
        async () => (await createGroup({ name: unique('group') }, actor, now())).id,
        (id: string) => perform(groupActs.delete, { id }, by()),
      ],
    ] as const)(
      'comes back whole, with every row that went with it: %s',
      async (root, make, remove) => {
        const id = await make();
        const { [root]: _, ...rest } = await others();
        const filled = await fill(root, id, rest as Parents);
        const was = await rowsOf(root, id);
        await remove(id);
        const gone = await rowsOf(root, id);
        expect(Object.values(gone).flat()).toEqual([]);
        const deletion = await idOf(id);
        expect(await restore(deletion)).toMatchObject({ subject: id, restored: true });
        const back = await rowsOf(root, id);
        // What people allowed an app, its tokens and its sessions stay ended.
        const staysEnded = root === 'clients' ? [...endsAlways, 'grants'] : endsAlways;
        for (const table of [root, ...filled])
          expect([table, back[table]]).toEqual([
            table,
            staysEnded.includes(table) ? [] : was[table],
          ]);
        expect(filled.filter((table) => !staysEnded.includes(table)).length).toBeGreaterThan(1);
        expect(await faultsOf(restore(deletion))).toHaveProperty('deletion');
        const [event] = (await listAudit({ limit: 1 })).rows;
        expect(event?.type).toMatch(/^(user|client|group)\.restored$/);
      },
    );

    test('stays disabled if it was disabled before it was deleted', async () => {
      const { id } = await newUser();
      await disableUser(id, actor, new Date(Date.now() - 60_000));
      const { disabledAt } = await userWithId(id);
      await perform(userActs.delete, { id }, by());
      await restore(await idOf(id));
      expect((await userWithId(id)).disabledAt).toEqual(disabledAt);
    });

    test('can be put back once, and not while something else has its name', async () => {
      const { id, username, email } = await newUser();
      await perform(userActs.delete, { id }, by());
      const deletion = await idOf(id);
      const taker = await newUser();
      const take = (email: string) =>
        write('UPDATE users SET email = :email, email_key = :key WHERE id = :id', {
          id: taker.id,
          email,
          key: email.toLowerCase(),
        });
      await take(email);
      expect(await faultsOf(restore(deletion))).toEqual({
        deletion: expect.stringContaining(`${username} can’t be put back`),
      });
      await take(taker.email);
      const tried = await Promise.allSettled([restore(deletion), restore(deletion)]);
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await userWithId(id)).username).toBe(username);
      const group = await createGroup({ name: unique('group') }, actor, now());
      await perform(groupActs.delete, { id: group.id }, by());
      const second = await createGroup({ name: group.name }, actor, now());
      expect(await faultsOf(restore(await idOf(group.id)))).toHaveProperty('deletion');
      await updateGroup(second.id, { name: unique('other') }, { actor, now: now() });
      await restore(await idOf(group.id));
      expect((await showGroup(group.name)).id).toBe(group.id);
    });

    test('is gone for good after the time of the setting, when an admin says so, and at once with 0', async () => {
      const gone = async () => {
        const { id } = await newUser();
        await perform(userActs.delete, { id }, by());
        return idOf(id);
      };
      const one = await gone();
      await perform(deletionActs.end, { id: one }, by());
      expect(await faultsOf(restore(one))).toHaveProperty('deletion');
      const other = await gone();
      await deleteExpired(new Date(Date.now() + 13 * 86_400_000));
      expect((await list()).map(({ id }) => id)).toContain(other);
      await deleteExpired(new Date(Date.now() + 15 * 86_400_000));
      expect((await list()).map(({ id }) => id)).not.toContain(other);
      const rows = await read('SELECT row_key FROM deleted_rows WHERE deletion_id = :other', {
        other,
      });
      expect(rows).toEqual([]);
      await setSetting('DELETED_RETENTION_DAYS', '0', actor, now());
      expect(await gone()).toBe('');
      await setSetting('DELETED_RETENTION_DAYS', '14', actor, now());
    });

    test('is not kept of whoever asked for it themselves', async () => {
      const [one, other] = await Promise.all([newUser(), newUser()]);
      for (const { id } of [one, other])
        await write('UPDATE users SET deletion_at = :now WHERE id = :id', { id, now: now() });
      await perform(userActs.delete, { id: one.id }, by());
      await deleteDueUser(other.id, { type: 'user.deleted' }, later(), []);
      expect([await idOf(one.id), await idOf(other.id)]).toEqual(['', '']);
    });

    test('in bulk is undone like any other bulk action', async () => {
      const ids = (await Promise.all([newUser(), newUser(), newUser()])).map(({ id }) => id);
      const { id } = await perform(batchActs.start, { operation: 'delete', ids }, by());
      const work = async (id: string) => {
        for (;;) {
          await batches.work(new Date(Date.now() + 60_000));
          const told = await perform(batchActs.show, { id }, by());
          if (told.finished_at) return told;
        }
      };
      expect(await work(id)).toMatchObject({ done: 3, can_undo: 3 });
      const [first = '', second = '', third = ''] = ids;
      await perform(deletionActs.end, { id: await idOf(first) }, by());
      const undo = await perform(batchActs.undo, { id }, by());
      expect(await work(undo.id)).toMatchObject({ done: 2, refused: 1 });
      expect((await userWithId(second)).disabledAt).toBeNull();
      expect((await userWithId(third)).disabledAt).toBeNull();
      expect(await faultsOf(userWithId(first))).toHaveProperty('user');
    });
  });
});

const later = () => new Date(Date.now() + 1000);
