import { beforeAll, expect, test } from 'vitest';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { batches } from '#lib/management/batch/run.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { listUsers, userWithId } from '#lib/management/user/users.ts';
import type { Role } from '#lib/people/roles.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newPerson, unique } from './people.ts';

const by = (role: Role = 'admin'): By => ({
  ...actingAs(role, actor),
  now: new Date(),
  demandFresh: () => {},
});
const require = (id: string, required: boolean, as = by()) =>
  perform(userActs.requireSecondFactor, { id, required }, as);
const eventsOf = async (userId: string) =>
  (await listAudit({ userId })).rows
    .map(({ type }) => type)
    .filter((type) => /^factors/.test(type));

onEachDatabase(() => {
  beforeAll(leaveQueuesToServer);

  test('a second factor is required of a user and no longer required; each change has one audit event', async () => {
    const { id, updatedAt } = await newPerson();
    expect(await require(id, true)).toMatchObject({ require_second_factor: true });
    expect((await userWithId(id)).updatedAt > updatedAt).toBe(true);
    await require(id, true);
    expect(await require(id, false)).toMatchObject({ require_second_factor: false });
    await require(id, false);
    expect(await eventsOf(id)).toEqual(['factors.optional', 'factors.required']);
  });

  test('only an admin with a fresh sign-in may require a second factor of a user', async () => {
    const { id } = await newPerson();
    for (const role of ['support', 'auditor', 'none'] as const)
      await expect(require(id, true, by(role))).rejects.toThrow('may not do this');
    const stale = () => {
      throw new Error('stale');
    };
    for (const required of [true, false])
      await expect(require(id, required, { ...by(), demandFresh: stale })).rejects.toThrow('stale');
    await expect(require('nobody', true)).rejects.toThrow('no such');
    expect((await userWithId(id)).requireSecondFactor).toBe(false);
  });

  test('a second factor is required of several users in a batch, and users are filtered by it', async () => {
    const word = unique('two');
    const [one, other, apart] = await Promise.all(
      ['a', 'b', 'c'].map((end) => newPerson({ username: `${word}-${end}` })),
    );
    await require(other?.id ?? '', true);
    const ids = [one?.id ?? '', other?.id ?? ''];
    const said = { operation: 'require-second-factor' as const, ids };
    const begun = await perform(batchActs.start, said, by());
    for (;;) {
      await batches.work(new Date(Date.now() + 60_000));
      if ((await perform(batchActs.show, { id: begun.id }, by())).finished_at) break;
    }
    const told = await perform(batchActs.show, { id: begun.id }, by());
    expect(told).toMatchObject({ done: 1, already: 1, refused: 0 });
    const found = async (secondStepRequired: boolean) =>
      (await listUsers({ search: word, secondStepRequired })).rows.map(({ id }) => id).sort();
    expect(await found(true)).toEqual([...ids].sort());
    expect(await found(false)).toEqual([apart?.id]);
  });
});
