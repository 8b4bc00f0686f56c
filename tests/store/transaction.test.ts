import { expect, test } from 'vitest';
import { createGroup, deleteGroup, showGroup } from '#lib/management/groups.ts';
import { createScope, showScope } from '#lib/management/scopes.ts';
import { setSetting } from '#lib/management/settings.ts';
import { inOneTransaction, readOne } from '#lib/store/database.ts';
import { prisma } from '#lib/store/prisma.ts';
import { readRevision } from '#lib/store/revision.ts';
import { readSettings } from '#lib/store/settings.ts';
import { actor, faultsOf, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const now = () => new Date();
const groupCalled = (name: string) =>
  readOne('SELECT 1 AS one FROM user_groups WHERE name = $1', [name]);

onEachDatabase(() => {
  test('acts within one transaction see each other, and nobody else sees them before it is over', async () => {
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

  test('what throws, and what is not to be kept, leaves nothing, in caches neither', async () => {
    const name = unique('Undone');
    const [before, revision] = [(await readSettings()).codeTtl, await readRevision()];
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

  test('an act that is refused by the database undoes itself alone', async () => {
    const [one, other] = [unique('One'), unique('Other')];
    await inOneTransaction(async () => {
      await createGroup({ name: one }, actor, now());
      await createGroup({ name: other }, actor, now());
      const taken = readOne('SELECT 1 AS one', []).then(async () => {
        const { updateGroup } = await import('#lib/management/groups.ts');
        return updateGroup(other, { name: one }, actor, now());
      });
      expect(await faultsOf(taken)).toHaveProperty('name');
      return { keep: true, value: null };
    });
    expect((await showGroup(other)).name).toBe(other);
    await deleteGroup(one, actor, now());
    await deleteGroup(other, actor, now());
  });

  test('two transactions come one after the other', async () => {
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

  test('Prisma, which would see nothing of it, is refused', async () => {
    const work = inOneTransaction(async () => ({ keep: false, value: await prisma() }));
    await expect(work).rejects.toThrow('Prisma sees nothing');
  });
});
