import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Letter, sealedLetter } from '#lib/mail/letter.ts';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { setSetting } from '#lib/management/setting/settings.ts';
import { applyUnusedRule, planUnused, warnUnused } from '#lib/management/user/unused.ts';
import { enableUser, setEnd, userWithId } from '#lib/management/user/users.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { endAllDue } from '#lib/store/ends.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { forgetRule } from '#lib/store/unused.ts';
import { flushUsage, touchLastUse } from '#lib/store/usage.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { actor, faultsOf, newPerson, unique } from './people.ts';

const start = new Date();
const day = 24 * 3600_000;
const after = (days: number) => new Date(start.getTime() + days * day);

const set = (name: string, value: string | null) => setSetting(name, value, actor, start);
const stateOf = async (id: string) => {
  const { disabledAt, endsAt, endReason } = await userWithId(id);
  return disabledAt ? 'disabled' : endReason ? `${endReason} ${+(endsAt ?? 0)}` : 'goes on';
};
const warnedUntil = (days: number) => `unused ${+after(days)}`;

async function lettersTaken(): Promise<Letter[]> {
  const rows = await read<{ sealed: string }>('SELECT sealed FROM outgoing_mails ORDER BY id', {});
  await write('DELETE FROM outgoing_mails', {});
  const letters = await Promise.all(rows.map(({ sealed }) => sealedLetter.open(sealed)));
  return letters.filter((letter) => letter !== null);
}

onEachDatabase(() => {
  beforeAll(() => leaveQueuesToServer());
  beforeEach(async () => {
    await write('DELETE FROM outgoing_mails', {});
    await write("DELETE FROM leases WHERE name LIKE 'alert:%'", {});
    // Nobody of earlier tests is concerned.
    await write('UPDATE users SET is_admin = FALSE, disabled_at = :start', { start });
    await forgetRule();
    await set('UNUSED_ACCOUNT_DAYS', '90');
    await set('UNUSED_ACCOUNT_NOTICE', '14');
    await set('UNUSED_ACCOUNT_SHARE', '50');
    await set('UNUSED_ACCOUNT_EXCEPT', null);
  });

  /** People who used their accounts, and as many who did not. */
  const newPeople = async () => {
    const quiet = await newPerson();
    const busy = await newPerson();
    return { quiet, busy };
  };
  const use = async (id: string, at: Date) => {
    touchLastUse('users', id, at);
    await flushUsage();
  };

  test('who does not use an account is warned, and disabled when the days are over', async () => {
    const { quiet, busy } = await newPeople();
    await applyUnusedRule(start);
    await use(busy.id, after(60));
    await applyUnusedRule(after(75.9));
    expect(await stateOf(quiet.id)).toBe('goes on');
    await applyUnusedRule(after(76.1));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(90.1));
    expect(await stateOf(busy.id)).toBe('goes on');
    const letters = await lettersTaken();
    expect(letters).toMatchObject([
      { notice: 'ends-soon', userId: quiet.id, values: { what: 'unused' } },
    ]);
    await applyUnusedRule(after(80));
    expect(await lettersTaken()).toEqual([]);
    await endAllDue(after(90));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(90.1));
    await endAllDue(after(90.1));
    expect(await stateOf(quiet.id)).toBe('disabled');
    const [event] = await read<{ detail: string }>(
      "SELECT detail FROM audit_events WHERE type = 'user.disabled' AND actor = 'date' AND user_id = :id",
      { id: quiet.id },
    );
    expect(JSON.parse(event?.detail ?? '{}')).toMatchObject({ reason: 'unused' });
  });

  test('using the account in any way keeps it, and so does an admin who enables it again', async () => {
    const { quiet } = await newPeople();
    await set('UNUSED_ACCOUNT_SHARE', '100');
    await applyUnusedRule(start);
    await applyUnusedRule(after(77));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(91));
    touchLastUse('accounts', quiet.id, after(90.9));
    await flushUsage();
    expect(await stateOf(quiet.id)).toBe('goes on');
    await endAllDue(after(100));
    await applyUnusedRule(after(168));
    await endAllDue(after(183));
    expect(await stateOf(quiet.id)).toBe('disabled');
    await enableUser(quiet.id, actor, after(200));
    await applyUnusedRule(after(201));
    expect(await stateOf(quiet.id)).toBe('goes on');
  });

  test('nothing counts as unused from before the rule was set', async () => {
    const { quiet } = await newPeople();
    await applyUnusedRule(after(400));
    await applyUnusedRule(after(475));
    expect(await stateOf(quiet.id)).toBe('goes on');
    expect(await planUnused(after(475))).toMatchObject({ since: after(400), unused: 2 });
    await applyUnusedRule(after(477));
    // Both are unused, and that is more than half.
    expect(await stateOf(quiet.id)).toBe('goes on');
  });

  test('a larger share than is allowed waits for a person, and admins are told', async () => {
    const admin = await newUser({ isAdmin: true });
    const people = await Promise.all([newPerson(), newPerson(), newPerson()]);
    await applyUnusedRule(start);
    await applyUnusedRule(after(80));
    await applyUnusedRule(after(81));
    expect(await Promise.all(people.map(({ id }) => stateOf(id)))).toEqual(
      people.map(() => 'goes on'),
    );
    expect(await lettersTaken()).toMatchObject([
      { alert: 'unused-held', userId: admin.id, values: { count: 3, days: 90, most: 1 } },
    ]);
    expect(await planUnused(after(81))).toMatchObject({ held: 'share', unused: 3, most: 1 });
    expect(await faultsOf(warnUnused(2, actor, after(81)))).toHaveProperty('expected');
    expect(await warnUnused(3, actor, after(81))).toBe(3);
    expect(await Promise.all(people.map(({ id }) => stateOf(id)))).toEqual(
      people.map(() => warnedUntil(95)),
    );
  });

  test('admins, members of an excepted group and accounts with another end are left out', async () => {
    const admin = await newPerson({ admin: true });
    const member = await newPerson();
    const dated = await newPerson();
    const group = await createGroup({ name: unique('kept') }, actor, start);
    await addMembers(group.id, [member.id], actor, start);
    await set('UNUSED_ACCOUNT_EXCEPT', group.name);
    await set('UNUSED_ACCOUNT_SHARE', '100');
    await setEnd(dated.id, after(300), actor, start);
    await applyUnusedRule(start);
    await applyUnusedRule(after(100));
    expect(await stateOf(admin.id)).toBe('goes on');
    expect(await stateOf(member.id)).toBe('goes on');
    expect(await userWithId(dated.id)).toMatchObject({ endsAt: after(300), endReason: null });
    await set('UNUSED_ACCOUNT_EXCEPT', `${group.name}, nobody-knows-this`);
    const { quiet } = await newPeople();
    await applyUnusedRule(after(190));
    expect(await stateOf(quiet.id)).toBe('goes on');
    expect(await planUnused(after(190))).toMatchObject({
      held: 'group',
      unknownGroups: ['nobody-knows-this'],
    });
  });

  test('who was warned is spared when the rule is off, or excepts them', async () => {
    const { quiet } = await newPeople();
    await set('UNUSED_ACCOUNT_SHARE', '100');
    await applyUnusedRule(start);
    await applyUnusedRule(after(80));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(94));
    await set('UNUSED_ACCOUNT_DAYS', '365');
    await applyUnusedRule(after(81));
    expect(await stateOf(quiet.id)).toBe('goes on');
    await set('UNUSED_ACCOUNT_DAYS', '90');
    await applyUnusedRule(after(82));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(96));
    await set('UNUSED_ACCOUNT_DAYS', '0');
    await applyUnusedRule(after(83));
    expect(await stateOf(quiet.id)).toBe('goes on');
    expect(await planUnused(after(83))).toMatchObject({ held: 'off', since: null });
  });

  test('after a year without a server, nobody is disabled before another warning', async () => {
    const { quiet } = await newPeople();
    await set('UNUSED_ACCOUNT_SHARE', '100');
    await applyUnusedRule(start);
    await applyUnusedRule(after(80));
    await endAllDue(after(445));
    expect(await stateOf(quiet.id)).toBe('goes on');
    await applyUnusedRule(after(445));
    expect(await stateOf(quiet.id)).toBe(warnedUntil(459));
  });
});
