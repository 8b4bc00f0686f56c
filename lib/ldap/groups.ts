import { toldGroups } from '../oauth/operator-claims.ts';
import { groupsWith, type LdapGroup, membersOf } from '../store/ldap-people.ts';
import { numbersOf } from '../store/posix-numbers.ts';
import { type Attributes, entryOf, ofEveryLeaf } from './entries.ts';
import { type Named, nameOf } from './filter.ts';
import type { Entry } from './match.ts';
import { groupDn, groupsDn, peopleDn, personDn, uuidOf } from './names.ts';
import { Refused } from './result.ts';
import { timeText } from './schema.ts';
import { classesOf, type View } from './view.ts';

/** The most members of one group that an answer holds. */
const mostMembers = 50_000;

/** A group as an app knows it: several of ours, if it knows them by one name. */
export type KnownGroup = { name: string; of: readonly [LdapGroup, ...LdapGroup[]] };

/** The groups that an app is told of, under its names for them and sorted by these. */
export function knownGroups(groups: readonly LdapGroup[], { client }: View): KnownGroup[] {
  const known = new Map<string, [LdapGroup, ...LdapGroup[]]>();
  for (const group of groups)
    for (const name of toldGroups([group.name], client)) {
      const same = known.get(name);
      if (same) same.push(group);
      else known.set(name, [group]);
    }
  const sorted = [...known].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, of]) => ({ name, of }));
}

/** What an entry of a group is made of. */
type Facts = {
  dn: string;
  name: string;
  group: LdapGroup;
  view: View;
  members: readonly { username: string }[];
  number: string | null;
};

function memberDns({ members, view: { client, baseDn } }: Facts): string[] {
  const above = peopleDn(client.id, baseDn);
  return members.map(({ username }) => personDn(username, above));
}

export const groupAttributes: Attributes<Facts> = {
  objectClass: ({ view }) => classesOf(view.posix).group,
  cn: ({ name }) => name,
  description: ({ group }) => group.description,
  member: memberDns,
  uniqueMember: memberDns,
  gidNumber: ({ number }) => number,
  memberUid: ({ members, view }) => (view.posix ? members.map(({ username }) => username) : null),
  entryUUID: ({ group }) => uuidOf(group.id),
  structuralObjectClass: () => 'groupOfNames',
  createTimestamp: ({ group }) => timeText(group.createdAt),
  modifyTimestamp: ({ group }) => timeText(group.updatedAt),
  ...ofEveryLeaf,
};

export const memberAttributes = ['member', 'uniqueMember', 'memberUid'] as const;

/** The entries of groups; members are read only if they are wanted. */
export async function groupEntries(
  groups: readonly KnownGroup[],
  wanted: ReadonlySet<string>,
  view: View,
  pairs: Pairs,
): Promise<Entry[]> {
  const numbers = view.posix
    ? await numbersOf(groups.map(({ of }) => of[0]))
    : new Map<string, number>();
  const reads = memberAttributes.some((name) => wanted.has(name));
  const names = [...wanted].filter((name) => Object.hasOwn(groupAttributes, name));
  const above = groupsDn(view.client.id, view.baseDn);
  const entries: Entry[] = [];
  for (const known of groups) {
    const { name, of } = known;
    const [group] = of;
    const members = reads ? await membersShown(known, view) : [];
    const number = numbers.get(group.id)?.toString() ?? null;
    const facts = { dn: groupDn(name, above), name, group, view, members, number };
    entries.push({
      ...entryOf(facts, groupAttributes, names),
      decides: (attribute, key) => isIn(known, pairs.get(nameOf(attribute, key))),
    });
  }
  return entries;
}

/** A person who is bound is shown no other members. */
async function membersShown({ name, of }: KnownGroup, { client, person }: View) {
  const ids = of.map(({ id }) => id);
  const members = await membersOf(client, ids, mostMembers + 1);
  if (members.length > mostMembers)
    throw new Refused(
      'adminLimitExceeded',
      `The group ${name} has more than ${mostMembers} members: ask for memberOf of a person.`,
    );
  return person ? members.filter(({ id }) => id === person.id) : members;
}

/** For each member that a filter names, the groups that they are in. */
export type Pairs = ReadonlyMap<string, ReadonlySet<string>>;

export async function pairsOf(named: Named): Promise<Pairs> {
  const pairs = new Map<string, ReadonlySet<string>>();
  for (const [name, ids] of named) {
    if (!memberAttributes.some((attribute) => name.startsWith(`${attribute} `))) continue;
    const groups = await Promise.all(ids.map(groupsWith));
    pairs.set(name, new Set(groups.flatMap((each) => [...each])));
  }
  return pairs;
}

const isIn = ({ of }: KnownGroup, groups: ReadonlySet<string> | undefined) =>
  groups && of.some(({ id }) => groups.has(id));
