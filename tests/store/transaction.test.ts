import { expect, test, vi } from 'vitest';
import { createGroup, deleteGroup, showGroup } from '#lib/management/group/groups.ts';
import { createScope, showScope } from '#lib/management/scope/scopes.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { queue } from '#lib/queue.ts';
import { inOneTransaction, read, readOne, writeTogether } from '#lib/store/engine/database.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import type { Statement } from '#lib/store/engine/statement.ts';
import { outsideTransaction, transactionHere } from '#lib/store/engine/transaction.ts';
import { readSettings } from '#lib/store/settings.ts';
import { actor, faultsOf, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { prisma } from '../support/prisma.ts';

const now = () => new Date();
const groupCalled = (name: string) =>
  readOne('SELECT 1 AS one FROM user_groups WHERE name = $1', [name]);

onEachDatabase(() => {
  test('changes within one transaction see each other, and other connections see them only after it', async () => {
    const [group, scope] = [unique('Together'), unique('photos')];
    let seen: unknown = null;
    const elsewhere = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const outside = elsewhere.promise.then(async () => {
      seen = await groupCalled(group);
      asked.resolve();
    });
    await inOneTransaction(async (told) => {
      await createGroup({ name: group }, actor, now());
      await createScope({ name: scope, description: 'See your photos' }, actor, now());
      expect((await showGroup(group)).name).toBe(group);
      expect((await showScope(scope)).description).toBe('See your photos');
      expect(told().map(({ type }) => type)).toEqual(['group.created', 'scope.created']);
      elsewhere.resolve();
      await asked.promise;
      return { keep: true, value: null };
    });
    await outside;
    expect(seen).toBeUndefined();
    expect((await showGroup(group)).name).toBe(group);
    expect((await showScope(scope)).name).toBe(scope);
  });

  test('a transaction that throws or is not kept leaves nothing, also not in caches', async () => {
    const name = unique('Undone');
    const before = (await readSettings()).codeTtl;
    const revision = await readRevision();
    const act = async () => {
      await createGroup({ name }, actor, now());
      await setSetting('CODE_TTL', '77', actor, now());
      expect((await readSettings()).codeTtl).toBe(77);
    };
    const failed = inOneTransaction(async () => {
      await act();
      throw new Error('No more');
    });
    await expect(failed).rejects.toThrow('No more');
    expect(
      await inOneTransaction(async () => {
        await act();
        return { keep: false, value: 'seen' };
      }),
    ).toBe('seen');
    expect(await groupCalled(name)).toBeUndefined();
    expect((await readSettings()).codeTtl).toBe(before);
    expect(await readRevision()).toBe(revision);
  });

  test('a change refused by the database within a transaction rolls back only itself', async () => {
    const [one, other] = [unique('One'), unique('Other')];
    await inOneTransaction(async () => {
      await createGroup({ name: one }, actor, now());
      const { id } = await createGroup({ name: other }, actor, now());
      const taken = readOne('SELECT 1 AS one', []).then(async () => {
        const { updateGroup } = await import('#lib/management/group/groups.ts');
        return updateGroup(id, { name: one }, { actor, now: now() });
      });
      expect(await faultsOf(taken)).toHaveProperty('name');
      return { keep: true, value: null };
    });
    expect((await showGroup(other)).name).toBe(other);
    for (const name of [one, other]) await deleteGroup((await showGroup(name)).id, actor, now());
  });

  test('two transactions run one after the other', async () => {
    const name = unique('Counted');
    const add = () =>
      inOneTransaction(async () => {
        await setSetting('CODE_TTL', String(40 + Math.floor(Math.random() * 9)), actor, now());
        const found = await groupCalled(name);
        if (!found) await createGroup({ name }, actor, now());
        return { keep: true, value: found === undefined };
      });
    const made = await Promise.all([add(), add(), add()]);
    expect(made.filter(Boolean)).toHaveLength(1);
    await setSetting('CODE_TTL', null, actor, now());
  });

  test('a queue started in a transaction begins after its commit, and not at all after a rollback', async () => {
    const began: boolean[] = [];
    const made = (name: string) =>
      queue({
        name,
        lease: 1000,
        about: () => ({}),
        attempt: async () => 'done' as const,
        table: {
          take: async () => {
            began.push(transactionHere() !== undefined);
            return [];
          },
          drop: async () => {},
          postpone: async () => {},
          giveUp: async () => {},
          laneOf: () => '',
          mostLanes: 1,
        },
      });
    const letters = made(unique('letters'));
    const work = (keep: boolean) =>
      inOneTransaction(async () => {
        letters.soon();
        vi.advanceTimersByTime(1000);
        return { keep, value: null };
      });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await work(false);
      vi.advanceTimersByTime(1000);
      expect(began).toEqual([]);
      await work(true);
      expect(began).toEqual([]);
      vi.advanceTimersByTime(1000);
      expect(began).toEqual([false]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('concurrent changes within a transaction roll back only themselves', async () => {
    const [one, other] = [unique('one'), unique('other')];
    const add = (name: string): Statement => ({
      sql: 'INSERT INTO spent_values (hash, expires_at) VALUES ($1, $2) RETURNING hash',
      params: [name, new Date(Date.now() + 60_000)],
    });
    const outcomes = await inOneTransaction(async () => {
      await writeTogether(add(one), []);
      const value = await Promise.allSettled([
        writeTogether(add(`${one} a`), [add(`${one} b`), add(one)]),
        writeTogether(add(other), [add(`${other} a`), add(`${other} b`)]),
        writeTogether(add(`${one} c`), [add(one)]),
      ]);
      return { keep: true, value: value.map(({ status }) => status) };
    });
    expect(outcomes).toEqual(['rejected', 'fulfilled', 'rejected']);
    const rows = await read<{ hash: string }>(
      'SELECT hash FROM spent_values WHERE hash LIKE $1 OR hash LIKE $2 ORDER BY hash',
      [`${one}%`, `${other}%`],
    );
    const names = [one, other, `${other} a`, `${other} b`];
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual(names.toSorted());
  });

  test('work deferred outside a transaction is not part of it', async () => {
    const seen = await inOneTransaction(async () => {
      const later = Promise.withResolvers<boolean>();
      outsideTransaction(() => setImmediate(() => later.resolve(transactionHere() !== undefined)));
      return { keep: true, value: [await later.promise, transactionHere() !== undefined] };
    });
    expect(seen).toEqual([false, true]);
  });

  test('Prisma is refused within a transaction, since it would not see its changes', async () => {
    const work = inOneTransaction(async () => ({ keep: false, value: await prisma() }));
    await expect(work).rejects.toThrow('Prisma sees nothing');
  });
});
