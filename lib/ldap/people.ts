import { type StoredClaims, storedClaims } from '../oauth/claims.ts';
import { toldGroups } from '../oauth/operator-claims.ts';
import { type LdapPerson, membershipsOf } from '../store/ldap-people.ts';
import { numbersOf } from '../store/posix-numbers.ts';
import { type Attributes, entryOf, ofEveryLeaf } from './entries.ts';
import type { Entry } from './match.ts';
import { groupDn, groupsDn, peopleDn, personDn, uuidOf } from './names.ts';
import { timeText } from './schema.ts';
import { classesOf, type View } from './view.ts';

/** What an entry of a person is made of. */
type Facts = {
  dn: string;
  person: LdapPerson;
  posix: boolean;
  told: StoredClaims;
  memberOf: readonly string[];
  number: string | null;
};

/** The attributes that are made of claims, and those that only who has a number has. */
const ofClaims = ['sn', 'givenName', 'telephoneNumber', 'preferredLanguage'];
const ofNumbers = ['uidNumber', 'gidNumber', 'gecos', 'homeDirectory', 'loginShell'];
const shownName = ({ person: { name, username } }: Facts) => name ?? username;

export const personAttributes: Attributes<Facts> = {
  objectClass: ({ posix }) => classesOf(posix).person,
  uid: ({ person }) => person.username,
  cn: shownName,
  displayName: shownName,
  // Required of every person, also of those who have only one name.
  sn: (facts) => facts.told.family_name ?? shownName(facts).split(/\s+/).at(-1),
  givenName: ({ told }) => told.given_name,
  mail: ({ person }) => person.email,
  telephoneNumber: ({ told }) => told.phone_number,
  preferredLanguage: ({ told }) => told.locale?.replace('_', '-'),
  memberOf: ({ memberOf }) => memberOf,
  isMemberOf: ({ memberOf }) => memberOf,
  uidNumber: ({ number }) => number,
  // Each person is the only one in a group of their own, which has the same number and no entry.
  gidNumber: ({ number }) => number,
  // Machines keep these in a line that is parted by colons.
  gecos: (facts) => facts.number && shownName(facts).replace(/[:,\n]/g, ' '),
  homeDirectory: ({ number, person }) =>
    number && `/home/${person.username.replace(/[/:]|^\.+$/g, '_')}`,
  loginShell: ({ number }) => number && '/bin/bash',
  entryUUID: ({ person }) => uuidOf(person.id),
  structuralObjectClass: () => 'inetOrgPerson',
  createTimestamp: ({ person }) => timeText(person.createdAt),
  modifyTimestamp: ({ person }) => timeText(person.updatedAt),
  ...ofEveryLeaf,
};

/** The entries of people. Only what is wanted of them is read from other tables, and made. */
export async function personEntries(
  people: readonly LdapPerson[],
  wanted: ReadonlySet<string>,
  view: View,
): Promise<Entry[]> {
  const isTold = wanted.has('memberOf') || wanted.has('isMemberOf');
  const groups = isTold ? await groupNamesOf(people, view) : new Map<string, string[]>();
  const isNumbered = view.posix && ofNumbers.some((name) => wanted.has(name));
  const numbers = isNumbered ? await numbersOf(people) : new Map<string, number>();
  const above = peopleDn(view.client.id, view.baseDn);
  const dnOf = groupDnsOnce(view);
  const readsClaims = ofClaims.some((name) => wanted.has(name));
  const names = [...wanted].filter((name) => Object.hasOwn(personAttributes, name));
  return people.map((person) => {
    const facts: Facts = {
      dn: personDn(person.username, above),
      person,
      posix: view.posix,
      told: readsClaims ? claimsOf(person) : {},
      memberOf: toldGroups(groups.get(person.id) ?? [], view.client).map(dnOf),
      number: numbers.get(person.id)?.toString() ?? null,
    };
    return entryOf(facts, personAttributes, names);
  });
}

const claimsOf = ({ claims }: LdapPerson): StoredClaims =>
  claims === '{}' ? {} : storedClaims.catch({}).parse(JSON.parse(claims));

/** The DNs of groups, each made once. */
function groupDnsOnce({ client, baseDn }: View): (name: string) => string {
  const above = groupsDn(client.id, baseDn);
  const known = new Map<string, string>();
  return (name) => {
    const dn = known.get(name) ?? groupDn(name, above);
    known.set(name, dn);
    return dn;
  };
}

async function groupNamesOf(people: readonly LdapPerson[], { client }: View) {
  const names = new Map<string, string[]>(people.map(({ id }) => [id, []]));
  for (const { userId, name } of await membershipsOf(client, [...names.keys()]))
    names.get(userId)?.push(name);
  return names;
}
