import { beforeAll, describe, expect, test } from 'vitest';
import { cellText } from '#lib/cli/text.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { groupNameFault } from '#lib/management/group/groups.ts';
import { moveIn, readArrivals } from '#lib/management/import/move.ts';
import { invitationActs } from '#lib/management/invitation/acts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { foldName, isSoundName, readName } from '#lib/oauth/name.ts';
import { actor, newApp, password, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { set } from '../support/settings.ts';
import { filesThatUse } from './doors.ts';
import { names, notNames } from './names.ts';

const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };
const newUser = (name: string) => {
  const username = unique('name');
  const email = `${username}@example.org`;
  return perform(userActs.create, { username, email, password, name }, by);
};
const planned = (person: object) => {
  const arrivals = readArrivals({ from: 'json', text: JSON.stringify({ people: [person] }) });
  return moveIn(arrivals, 'json', { leaveOut: false, agreed: () => false }, by);
};
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    () => 'refused',
  );

test.each(names)('a name is read: $why', ({ typed, kept }) => {
  expect([readName(typed, 100), readName(kept, 100)]).toEqual([kept, kept]);
  expect(isSoundName(kept, 100)).toBe(true);
  expect(cellText(kept)).toBe(kept);
});

test.each(notNames)('no name: $why', ({ typed }) => {
  expect([readName(typed, 100), isSoundName(typed, 100)]).toEqual([null, false]);
  expect(groupNameFault(typed)).not.toBeNull();
});

test('names have a limit in characters, whatever they are stored as', () => {
  expect([readName('𠮷'.repeat(100), 100), readName('𠮷'.repeat(101), 100)]).toEqual([
    '𠮷'.repeat(100),
    null,
  ]);
  expect(foldName(' '.repeat(100_000) + 'a'.repeat(2))).toBe('aa');
});

onEachDatabase(() => {
  beforeAll(() => set('REGISTRATION', 'open'));

  describe.each(names)('$why', ({ typed, kept }) => {
    test('is the name of a person who is made, changed, invited or comes with an import', async () => {
      const made = await newUser(typed);
      expect(made.name).toBe(kept);
      expect((await perform(userActs.update, { id: made.id, name: typed }, by)).name).toBe(kept);
      const email = `${unique('guest')}@example.org`;
      expect(await outcome(perform(invitationActs.create, { email, name: typed }, by))).toBe(
        'taken',
      );
      const claims = { given_name: typed };
      const come = { email: `${unique('come')}@example.org`, name: typed, claims };
      expect(await planned(come)).toMatchObject({
        coming: [{ name: kept, claims: { given_name: kept } }],
        leftBehind: [],
      });
      expect((await perform(userActs.update, { id: made.id, claims }, by)).claims).toEqual({
        given_name: kept,
      });
    });

    test('is the name of an app', async () => {
      expect((await newApp({ name: kept })).client.name).toBe(kept);
    });
  });

  test.each(notNames)('an import says that it leaves behind $why', async ({ typed }) => {
    const email = `${unique('come')}@example.org`;
    const person = { email, name: typed, claims: { given_name: typed, family_name: 'Ada' } };
    const { coming, leftBehind } = await planned(person);
    expect(coming).toMatchObject([{ name: null, claims: { family_name: 'Ada' } }]);
    expect(leftBehind.map(({ who, why }) => [who, why.key, why.values?.what])).toEqual(
      ['name', 'given_name'].map((what) => [email, 'refused.move.value', what]),
    );
  });

  test.each(notNames)('no person, invitation or app has $why', async ({ typed }) => {
    const email = `${unique('guest')}@example.org`;
    expect(await outcome(newUser(typed))).toBe('refused');
    expect(await outcome(perform(invitationActs.create, { email, name: typed }, by))).toBe(
      'refused',
    );
    expect(await outcome(newApp({ name: typed }))).toBe('refused');
  });
});

test('the doors of a name are those above', () => {
  expect(filesThatUse('personName', 'lib/identity/accounts.ts')).toEqual([
    'lib/identity/directory/follow.ts',
    'lib/identity/upstream/new-account.ts',
    'lib/management/import/judge-arrivals.ts',
    'lib/management/invitation/invitee.ts',
    'lib/management/user/user-profile.ts',
  ]);
  expect(filesThatUse('isSoundName', 'lib/oauth/name.ts')).toEqual([
    'lib/management/client/client-rules.ts',
    'lib/management/group/groups.ts',
  ]);
});
