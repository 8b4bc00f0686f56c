import { storedClaims } from '../oauth/claims.ts';
import { toldGroups } from '../oauth/operator-claims.ts';
import {
  groupsWith,
  type LdapGroup,
  type LdapPerson,
  membershipsOf,
  membersOf,
} from '../store/ldap-people.ts';
import { numbersOf } from '../store/posix-numbers.ts';
import type { Entry } from './match.ts';
import { appDn, groupDn, groupsDn, peopleDn, personDn, schemaDn, uuidOf } from './names.ts';
import { type Named, nameOf } from './narrowing.ts';
import { Refused } from './result.ts';
import { timeText } from './schema.ts';
import { classesOf, type View } from './view.ts';

/** The most members of one group that an answer holds. */
const mostMembers = 50_000;

type Values = Record<string, string | readonly (string | null)[] | null | undefined>;

/** An entry without the attributes that have no value. */
function entryOf(dn: string, values: Values): Entry {
  const filled = new Map<string, readonly string[]>();
  for (const name in values) {
    const value = values[name] ?? [];
    const list = typeof value === 'string' ? [value] : value;
    const kept = list.filter((each): each is string => each !== null && each !== '');
    if (kept.length > 0) filled.set(name, kept);
  }
  filled.set('entryDN', [dn]).set('subschemaSubentry', [schemaDn]);
  return { dn, values: filled };
}

/** The entries above people and groups, the highest first. */
export function fixedEntries({ client, baseDn }: View) {
  const { id, name, description } = client;
  const [label = ''] = /(?<=^dc=)[^,]*/i.exec(baseDn) ?? [];
  const holder = (ou: string, dn: string) =>
    entryOf(dn, { objectClass: ['top', 'organizationalUnit'], ou, ...above });
  const above = { hasSubordinates: 'TRUE' };
  return {
    domain: entryOf(baseDn, {
      objectClass: ['top', 'organization', label === '' ? null : 'dcObject'],
      dc: label,
      o: 'Gatehouse',
      ...above,
    }),
    app: entryOf(appDn(id, baseDn), {
      objectClass: ['top', 'applicationProcess'],
      cn: [id, name === id ? null : name],
      description,
      ...above,
    }),
    people: holder('people', peopleDn(id, baseDn)),
    groups: holder('groups', groupsDn(id, baseDn)),
  };
}

/** The entries of people. Only what is wanted of them is read from other tables. */
export async function personEntries(
  people: readonly LdapPerson[],
  wanted: ReadonlySet<string>,
  view: View,
): Promise<Entry[]> {
  const ids = people.map(({ id }) => id);
  const { client, baseDn, posix } = view;
  const isTold = wanted.has('memberOf') || wanted.has('isMemberOf');
  const groups = isTold ? await groupNamesOf(ids, view) : new Map<string, string[]>();
  const numbers = posix ? await missingNumbers(people) : new Map<string, number>();
  const [above, aboveGroups] = [peopleDn(client.id, baseDn), groupsDn(client.id, baseDn)];
  return people.map((person) => {
    const told = toldGroups(groups.get(person.id) ?? [], client);
    const memberOf = told.map((name) => groupDn(name, aboveGroups));
    const number = person.number ?? numbers.get(person.id);
    return entryOf(personDn(person.username, above), {
      ...valuesOf(person, posix),
      memberOf,
      isMemberOf: memberOf,
      ...(number !== undefined && numbersOn(person, String(number))),
    });
  });
}

function valuesOf(
  { id, username, email, name, claims, createdAt, updatedAt }: LdapPerson,
  posix: boolean,
) {
  const told = claims === '{}' ? {} : storedClaims.catch({}).parse(JSON.parse(claims));
  const shown = name ?? username;
  return {
    objectClass: classesOf(posix).person,
    uid: username,
    cn: shown,
    displayName: shown,
    // Required of every person, also of those who have only one name.
    sn: told.family_name ?? shown.split(/\s+/).at(-1) ?? shown,
    givenName: told.given_name,
    mail: email,
    telephoneNumber: told.phone_number,
    preferredLanguage: told.locale?.replace('_', '-'),
    entryUUID: uuidOf(id),
    structuralObjectClass: 'inetOrgPerson',
    hasSubordinates: 'FALSE',
    createTimestamp: timeText(createdAt),
    modifyTimestamp: timeText(updatedAt),
  };
}

/** Each person is the only one in a group of their own, which has the same number and no entry. */
const numbersOn = ({ username, name }: LdapPerson, number: string) => ({
  uidNumber: number,
  gidNumber: number,
  // Machines keep these in a line that is parted by colons.
  gecos: (name ?? username).replace(/[:,\n]/g, ' '),
  homeDirectory: `/home/${username.replace(/[/:]/g, '_')}`,
  loginShell: '/bin/bash',
});

async function groupNamesOf(ids: readonly string[], { client }: View) {
  const names = new Map<string, string[]>();
  for (const { userId, name } of await membershipsOf(client, ids)) {
    const own = names.get(userId);
    if (own) own.push(name);
    else names.set(userId, [name]);
  }
  return names;
}

const missingNumbers = (rows: readonly { id: string; number: number | null }[]) =>
  numbersOf(rows.filter(({ number }) => number === null).map(({ id }) => id));

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

export const memberAttributes = ['member', 'uniqueMember', 'memberUid'] as const;

/** The entries of groups; members are read only if they are wanted. */
export async function groupEntries(
  groups: readonly KnownGroup[],
  wanted: ReadonlySet<string>,
  view: View,
  pairs: Pairs,
): Promise<Entry[]> {
  const numbers = view.posix
    ? await missingNumbers(groups.map(({ of }) => of[0]))
    : new Map<string, number>();
  const entries: Entry[] = [];
  for (const group of groups) {
    const [first] = group.of;
    const number = first.number ?? numbers.get(first.id);
    const members = memberAttributes.some((name) => wanted.has(name))
      ? await membersShown(group, view)
      : [];
    const entry = entryOf(groupDn(group.name, groupsDn(view.client.id, view.baseDn)), {
      ...groupValues(group, view.posix),
      ...memberValues(members, view),
      gidNumber: number === undefined ? null : String(number),
    });
    entries.push({
      ...entry,
      decides: (attribute, key) => isIn(group, pairs.get(nameOf(attribute, key))),
    });
  }
  return entries;
}

function groupValues(
  { name, of: [{ id, description, createdAt, updatedAt }] }: KnownGroup,
  posix: boolean,
) {
  return {
    objectClass: classesOf(posix).group,
    cn: name,
    description,
    entryUUID: uuidOf(id),
    structuralObjectClass: 'groupOfNames',
    hasSubordinates: 'FALSE',
    createTimestamp: timeText(createdAt),
    modifyTimestamp: timeText(updatedAt),
  };
}

function memberValues(members: readonly { username: string }[], { client, baseDn, posix }: View) {
  const above = peopleDn(client.id, baseDn);
  const member = members.map(({ username }) => personDn(username, above));
  const memberUid = posix ? members.map(({ username }) => username) : null;
  return { member, uniqueMember: member, memberUid };
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
