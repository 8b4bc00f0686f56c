import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { act, actingAs, type By, NotAllowed, perform } from '#lib/management/act.ts';
import { groupActs } from '#lib/management/group/acts.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { text, yesOrNo } from '#lib/management/values.ts';
import type { Role } from '#lib/people/roles.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newPerson, unique } from './people.ts';

class Stale extends Error {}
const by = (role: Role = 'admin', more: Partial<By> = {}): By => ({
  ...actingAs(role, { id: 'cli' }),
  now: new Date(),
  demandFresh: () => {},
  ...more,
});
const stale = (role: Role = 'admin') =>
  by(role, {
    demandFresh: () => {
      throw new Stale();
    },
  });

/** Every group act with something to say that has its shape. */
const saying = {
  list: {},
  show: { id: 'x' },
  create: { name: 'x' },
  update: { id: 'x' },
  delete: { id: 'x' },
  listMembers: { id: 'x' },
  addMembers: { id: 'x', people: [] },
  removeMembers: { id: 'x', people: [] },
};

async function refusalOf(work: Promise<unknown>): Promise<AdminRefusal> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AdminRefusal);
  return error as AdminRefusal;
}

const unknownPrototype = JSON.parse(
  '{"__proto__": "__proto__: There is no such name here. There are: name, on, deep, password."}',
);

describe('an act', () => {
  const told: string[] = [];
  const open = act({
    may: 'help-people',
    says: 'try something',
    takes: z.strictObject({
      name: text,
      on: yesOrNo.optional(),
      deep: z.strictObject({ list: z.array(text) }).optional(),
      password: text.optional(),
    }),
    tells: z.object({ name: text }),
    async run({ name }) {
      told.push(name);
      return { name, secret: 'gh_1' };
    },
  });
  const fresh = act({ ...open, may: 'fresh-help-people' });
  const ran = async (work: () => Promise<unknown>) => {
    const before = told.length;
    await work().catch(() => {});
    return told.length > before;
  };

  test('runs for a role that may, and tells nothing that it does not say', async () => {
    expect(await perform(open, { name: 'a' }, by('support'))).toEqual({ name: 'a' });
  });

  test('is refused to any other role before anything is read', async () => {
    for (const role of ['auditor', 'none'] as const) {
      const refused = perform(open, { name: 1 } as never, by(role));
      await expect(refused).rejects.toBeInstanceOf(NotAllowed);
      expect(await ran(() => perform(open, { name: 'a' }, by(role)))).toBe(false);
    }
  });

  test('that wants a fresh sign-in asks for it before anything is read', async () => {
    await expect(perform(fresh, { name: 1 } as never, stale())).rejects.toBeInstanceOf(Stale);
    await expect(perform(fresh, { name: 'a' }, stale('none'))).rejects.toBeInstanceOf(NotAllowed);
    expect(await ran(() => perform(fresh, { name: 'a' }, by()))).toBe(true);
  });

  test.each<[string, unknown, Record<string, string>]>([
    ['what is missing', {}, { name: 'name is missing.' }],
    ['another kind', { name: 5 }, { name: 'name takes a text, not 5.' }],
    ['what is no switch', { name: 'a', on: 'on' }, { on: 'on takes true or false, not "on".' }],
    [
      'an unknown name',
      { name: 'a', nam: 'b' },
      { nam: 'nam: There is no such name here. Did you mean name?' },
    ],
    [
      'a deep place',
      { name: 'a', deep: { list: ['b', null] } },
      { 'deep.list[1]': 'deep.list[1] takes a text, not null.' },
    ],
    ['a secret', { name: 'a', password: 12345 }, { password: 'password takes a text.' }],
    ['no object', [], {}],
    ['nothing', undefined, {}],
    ['a prototype', JSON.parse('{"name": "a", "__proto__": {"on": true}}'), unknownPrototype],
  ])('refuses %s at its place', async (_, said, faults) => {
    const refusal = await refusalOf(perform(open, said as never, by()));
    expect(refusal.kind).toBe('refused');
    expect(Object.keys(refusal.faults)).toEqual(Object.keys(faults));
    expect(refusal.faults).toMatchObject(faults);
  });

  test('tells of fifty faults at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, 1]));
    const { faults } = await refusalOf(perform(open, many as never, by()));
    expect(Object.keys(faults)).toHaveLength(50);
  });
});

test('who is no admin acts on people without a role alone', () => {
  const source = { id: 'k', address: '192.0.2.1' };
  expect(actingAs('admin', source)).toEqual({ role: 'admin', actor: source });
  for (const role of ['support', 'auditor', 'none'] as const)
    expect(actingAs(role, source)).toEqual({ role, actor: { ...source, reach: 'people' } });
});

onEachDatabase(() => {
  const made = () => perform(groupActs.create, { name: unique('Group') }, by());

  describe('acts about a group', () => {
    test.each(Object.entries(groupActs))('%s is no one’s without a role', async (name, each) => {
      const said = saying[name as keyof typeof saying];
      const refused = perform(each as typeof groupActs.show, said as { id: string }, by('none'));
      await expect(refused).rejects.toBeInstanceOf(NotAllowed);
    });

    test('take ids, and no names', async () => {
      const group = await made();
      for (const id of [group.name, '', 'no such id', '\0', 'x'.repeat(100_000)])
        expect(await refusalOf(perform(groupActs.show, { id }, by()))).toMatchObject({
          kind: 'missing',
          field: 'group',
        });
      expect(await perform(groupActs.show, { id: group.id }, by('auditor'))).toEqual({
        ...group,
        member_count: 0,
        apps: 0,
      });
    });

    test('a name that is taken is a conflict', async () => {
      const { name } = await made();
      const again = await refusalOf(perform(groupActs.create, { name: name.toUpperCase() }, by()));
      expect(again).toMatchObject({ kind: 'conflict', field: 'name' });
    });

    test('a change of what somebody changed meanwhile is a conflict, and so is deleting it', async () => {
      const group = await made();
      const seen = groupActs.show.version?.({ ...group, member_count: 0, apps: 0 });
      const other = await perform(groupActs.update, { id: group.id, description: 'b' }, by());
      const late = by('admin', { seen });
      for (const work of [
        () => perform(groupActs.update, { id: group.id, description: 'c' }, late),
        () => perform(groupActs.delete, { id: group.id }, late),
        () => perform(groupActs.delete, { id: group.id }, by('admin', { seen: 'x' })),
      ])
        expect(await refusalOf(work())).toMatchObject({ kind: 'conflict', field: 'seen' });
      const now = by('admin', { seen: groupActs.update.version?.(other) });
      const gone = await perform(groupActs.delete, { id: group.id }, now);
      expect(gone).toEqual({ id: group.id, name: group.name, deleted: true, members: 0, apps: 0 });
    });

    test('of changing and deleting what both saw, one happens', async () => {
      for (let round = 0; round < 5; round += 1) {
        const group = await made();
        const seen = groupActs.create.version?.(group);
        const done = await Promise.allSettled([
          perform(groupActs.update, { id: group.id, description: 'b' }, by('admin', { seen })),
          perform(groupActs.delete, { id: group.id }, by('admin', { seen })),
        ]);
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });

    test('a new name wants a fresh sign-in, a description does not', async () => {
      const { id } = await made();
      const described = await perform(groupActs.update, { id, description: 'b' }, stale());
      expect(described.description).toBe('b');
      const renamed = perform(groupActs.update, { id, name: unique('New') }, stale());
      await expect(renamed).rejects.toBeInstanceOf(Stale);
    });

    test('people are listed, found, added and removed', async () => {
      const [{ id, name }, ada, bob] = [await made(), await newPerson(), await newPerson()];
      const people = [ada.username, bob.id];
      expect(await perform(groupActs.addMembers, { id, people }, by())).toEqual({
        ...{ id, name, already: [] },
        added: [ada.id, bob.id],
      });
      const found = await perform(groupActs.listMembers, { id, q: ada.username }, by());
      expect(found).toMatchObject({ member_count: 1, members: [{ id: ada.id }], next: null });
      expect(await perform(groupActs.list, { user: ada.id, empty: 'false' }, by())).toMatchObject({
        groups: [{ id, member_count: 2 }],
      });
      expect(await perform(groupActs.removeMembers, { id, people: [ada.id] }, by())).toMatchObject({
        removed: [ada.id],
      });
      const part = await perform(groupActs.listMembers, { id, limit: '1' }, by());
      expect(part.members.map((one) => one.id)).toEqual([bob.id]);
      const outside = await refusalOf(perform(groupActs.list, { limit: 501 }, by()));
      expect(outside.faults).toEqual({ limit: 'Use a limit from 1 to 500.' });
    });
  });
});
