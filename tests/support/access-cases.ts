import type { Client } from '#lib/oauth/client.ts';

/** Who may use an app: everybody, or only the listed groups and people. */
type AccessRule = Pick<Client, 'access'> & { groups: readonly string[]; people: readonly string[] };
type Member = { id: string; groups: readonly string[] };

type Case = { name: string; rule: AccessRule; person: Member; may: boolean };

const rule = (groups: string[], people: string[] = []): AccessRule => ({
  access: 'listed',
  groups,
  people,
});
const everybody = { ...rule(['staff'], ['ann']), access: 'everybody' } as const;
const person = (id: string, ...groups: string[]): Member => ({ id, groups });

/** Combinations of a person, their groups and a rule, with the answer the store has to give. */
export const accessCases: Case[] = [
  { name: 'everybody: an outsider', rule: everybody, person: person('bob'), may: true },
  { name: 'everybody: who is listed', rule: everybody, person: person('ann'), may: true },
  { name: 'nobody is listed', rule: rule([]), person: person('ann', 'staff'), may: false },
  { name: 'listed by name', rule: rule([], ['ann']), person: person('ann'), may: true },
  { name: 'somebody else is listed', rule: rule([], ['ann']), person: person('bob'), may: false },
  { name: 'in the group', rule: rule(['staff']), person: person('bob', 'staff'), may: true },
  { name: 'in another group', rule: rule(['staff']), person: person('bob', 'guests'), may: false },
  { name: 'in no group', rule: rule(['staff']), person: person('bob'), may: false },
  {
    name: 'in one of several groups',
    rule: rule(['staff', 'admins']),
    person: person('bob', 'guests', 'admins'),
    may: true,
  },
  {
    name: 'in two groups that are listed',
    rule: rule(['staff', 'admins']),
    person: person('bob', 'staff', 'admins'),
    may: true,
  },
  {
    name: 'by name, and in no group that is listed',
    rule: rule(['staff'], ['ann']),
    person: person('ann', 'guests'),
    may: true,
  },
  {
    name: 'in a group, and somebody else by name',
    rule: rule(['staff'], ['ann']),
    person: person('bob', 'staff'),
    may: true,
  },
  {
    name: 'neither by name nor in a group',
    rule: rule(['staff'], ['ann']),
    person: person('bob', 'guests'),
    may: false,
  },
  // An id listed as a group must not match a person with that id, and the other way round.
  {
    name: 'a person whose id is listed as a group',
    rule: rule(['ann']),
    person: person('ann'),
    may: false,
  },
  {
    name: 'a group whose id is listed as a person',
    rule: rule([], ['staff']),
    person: person('bob', 'staff'),
    may: false,
  },
];
