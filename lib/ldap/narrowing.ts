import type { Sought } from '../store/ldap-people.ts';
import { type Condition, type Filter, type Named, nameOf } from './filter.ts';
import { groupAttributes } from './groups.ts';
import { idsOfUuid } from './names.ts';
import { personAttributes } from './people.ts';
import { attributeNamed, keyOf, partKeyOf } from './schema.ts';
import type { View } from './view.ts';

/*
 * What of a filter the database can decide: it finds all entries that match, and perhaps others,
 * which are left out afterwards.
 */

/** `all`: nothing can be decided; `none`: no entry matches. */
export type Narrowing = Sought | 'all' | 'none';

type Leaf = (attribute: string, condition: Condition) => Narrowing;

/** What people have to be looked at for a filter. */
export const soughtPeople = (filter: Filter, named: Named, view: View): Narrowing =>
  narrowed(filter, ofPeople(named, view));

/** What groups have to be looked at for a filter. */
export const soughtGroups = (filter: Filter, named: Named, view: View): Narrowing =>
  narrowed(filter, ofGroups(named, view));

function narrowed(filter: Filter, leaf: Leaf): Narrowing {
  switch (filter.is) {
    case 'not':
      return 'all';
    case 'and':
      return every(filter.of.map((part) => narrowed(part, leaf)));
    case 'or':
      return some(filter.of.map((part) => narrowed(part, leaf)));
    default: {
      const attribute = attributeNamed(filter.attribute);
      if (attribute === null) return 'none';
      // A part of the DN can match as well.
      return filter.is === 'extensible' && filter.ofName ? 'all' : leaf(attribute, filter);
    }
  }
}

/** What meets each of these. */
export function every(parts: readonly Narrowing[]): Narrowing {
  if (parts.includes('none')) return 'none';
  const all = parts.filter((part) => typeof part === 'object');
  return all.length === 0 ? 'all' : { all };
}

function some(parts: readonly Narrowing[]): Narrowing {
  if (parts.includes('all')) return 'all';
  const any = parts.filter((part) => typeof part === 'object');
  return any.length === 0 ? 'none' : { any };
}

type Column = Extract<Sought, { by: unknown }>['by'];

const equal = (by: Column, values: readonly (string | number)[]) =>
  ({ by, is: 'equal', values }) as const;

/** Whatever begins in one of the columns as a key does before its first blank. */
function beginning(by: readonly Column[], key: string): Narrowing {
  const values = [key.split(' ', 1).join()];
  if (values.includes('')) return 'all';
  return { any: by.map((column) => ({ by: column, is: 'begins', values })) };
}

/** Attributes of people, and the columns that have them. A name that is missing is the username. */
const columns = {
  uid: ['username'],
  mail: ['email'],
  cn: ['name', 'username'],
  displayName: ['name', 'username'],
} as const satisfies Record<string, readonly Column[]>;

// A condition on an attribute that no entry of a kind can have never holds.
const ofPeople =
  (named: Named, { classes }: View): Leaf =>
  (attribute, condition) => {
    if (!Object.hasOwn(personAttributes, attribute)) return 'none';
    const by = Object.hasOwn(columns, attribute) ? columns[attribute as keyof typeof columns] : [];
    if (condition.is === 'substrings' && condition.initial !== null && by.length > 0) {
      return beginning(by, partKeyOf(attribute, condition.initial));
    }
    if (condition.is !== 'equal') return 'all';
    const key = keyOf(attribute, condition.value);
    if (key === null) return 'none';
    // A name is stored with all its blanks, of which several are compared as one.
    if (by.length > 0 && String(key).includes(' ')) return beginning(by, String(key));
    if (by.length > 0) return { any: by.map((column) => equal(column, [key])) };
    if (attribute === 'objectClass') return classes.person.has(String(key)) ? 'all' : 'none';
    if (attribute === 'uidNumber') return equal('number', [key]);
    if (attribute === 'entryUUID') return byUuid('id', condition.value);
    const ids = named.get(nameOf(attribute, String(key)));
    if (attribute === 'memberOf' || attribute === 'isMemberOf') return equal('group', ids ?? []);
    return 'all';
  };

const ofGroups =
  (named: Named, { classes, client }: View): Leaf =>
  (attribute, condition) => {
    if (!Object.hasOwn(groupAttributes, attribute)) return 'none';
    if (condition.is !== 'equal') return 'all';
    const key = keyOf(attribute, condition.value);
    if (key === null) return 'none';
    if (attribute === 'objectClass') return classes.group.has(String(key)) ? 'all' : 'none';
    // Groups that the app knows by other names can be one group to it.
    if (Object.keys(client.groupNames).length > 0) return 'all';
    if (attribute === 'cn') return equal('groupName', [key]);
    if (attribute === 'entryUUID') return byUuid('groupId', condition.value);
    const ids = named.get(nameOf(attribute, String(key)));
    return ids === undefined ? 'all' : equal('member', ids);
  };

function byUuid(by: 'id' | 'groupId', uuid: string): Narrowing {
  const ids = idsOfUuid(uuid);
  return ids === null ? 'all' : equal(by, ids);
}
