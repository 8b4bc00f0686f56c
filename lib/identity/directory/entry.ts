import { type Entry, EqualityFilter, Filter, OrFilter } from 'ldapts';
import { isText } from '../../oauth/params.ts';
import { storable } from '../../store/engine/page.ts';
import { shutOutBy } from '../shut-out.ts';
import type { DirectoryConnection } from './asking.ts';
import type { Directory } from './configured.ts';

export type DirectoryPerson = {
  /** entryUUID, or objectGUID in its usual text form. It alone identifies the person. */
  id: string;
  dn: string;
  username: string | null;
  email: string | null;
  name: string | null;
  /** The values for custom user fields, by field. */
  fields: Readonly<Record<string, readonly string[]>>;
  disabled: boolean;
  /** DNs of their groups, as far as their own entry lists them. */
  memberOf: readonly string[];
};

/**
 * By these a directory refuses somebody's password for good: Active Directory and AD LDS, OpenLDAP,
 * 389 Directory Server and FreeIPA, OpenDJ, eDirectory, Oracle. A pause after wrong passwords is
 * not among them, because whoever guesses would end the sessions of others.
 */
const marks = [
  'userAccountControl',
  'accountExpires',
  'msDS-UserAccountDisabled',
  'pwdAccountLockedTime',
  'pwdEndTime',
  'nsAccountLock',
  'krbPrincipalExpiration',
  'ds-pwp-account-disabled',
  'ds-pwp-account-expiration-time',
  'loginDisabled',
  'loginExpirationTime',
  'orclIsEnabled',
];
/** draft-behera-ldap-password-policy-11 section 5.3.3: only an admin unlocks it. */
const untilUnlocked = '000001010000Z';

/** Further values of an attribute are ignored. */
const mostValues = 2000;

/** The people a login could mean, at most two. `login` is escaped in the filter. */
export async function findByLogin(
  connection: DirectoryConnection,
  directory: Directory,
  login: string,
): Promise<DirectoryPerson[]> {
  const wanted = directory.login.replaceAll('{login}', () => Filter.escape(login));
  const filter = `(&${directory.filter}${wanted})`;
  return read(
    directory,
    await connection.search(directory.base, { ...lookFor(directory), filter, sizeLimit: 2 }),
  );
}

/** The person with this id, or null. */
export async function findById(
  connection: DirectoryConnection,
  directory: Directory,
  id: string,
): Promise<DirectoryPerson | null> {
  const [person] = await findByIds(connection, directory, [id]);
  return person ?? null;
}

/** The people with these ids, in any order. */
export async function findByIds(
  connection: DirectoryConnection,
  directory: Directory,
  ids: readonly string[],
): Promise<DirectoryPerson[]> {
  const attribute = directory.attributes.id;
  const filters = ids.map(
    (id) => new EqualityFilter({ attribute, value: attribute === 'objectGUID' ? bytesOf(id) : id }),
  );
  const options = {
    ...lookFor(directory),
    filter: new OrFilter({ filters }),
    paged: { pageSize: 100 },
  };
  return read(directory, await connection.search(directory.base, options));
}

function lookFor({ attributes, groups }: Directory) {
  const { id, username, email, name, fields } = attributes;
  const others = [
    ...marks,
    // A person can be in hundreds of groups.
    ...(groups.of.size === 0 ? [] : ['memberOf']),
  ];
  return {
    scope: 'sub' as const,
    derefAliases: 'never' as const,
    attributes: [...new Set([id, username, email, name, ...Object.values(fields), ...others])],
    explicitBufferAttributes: ['objectGUID'],
    timeLimit: 30,
  };
}

/** Entries without an id are left out. */
function read(directory: Directory, entries: readonly Entry[]): DirectoryPerson[] {
  return entries.flatMap((entry) => {
    const person = personOf(directory, entry);
    return person === null ? [] : [person];
  });
}

function personOf({ attributes }: Directory, entry: Entry): DirectoryPerson | null {
  const id = entryIdOf(attributes.id, valuesOf(entry, attributes.id));
  if (id === null) return null;
  const textOf = (attribute: string) => textsOf(entry, attribute)[0]?.trim() || null;
  return {
    id,
    dn: storable(entry.dn),
    username: textOf(attributes.username),
    email: textOf(attributes.email),
    name: textOf(attributes.name),
    fields: Object.fromEntries(
      Object.entries(attributes.fields).map(([field, attribute]) => [
        field,
        textsOf(entry, attribute),
      ]),
    ),
    disabled: isShutOutThere(entry),
    memberOf: textsOf(entry, 'memberOf'),
  };
}

const isShutOutThere = (entry: Entry): boolean =>
  shutOutBy(marks.map((name) => [name, textsOf(entry, name).filter(isLasting(name))])) !== null;
const isLasting = (name: string) => (value: string) =>
  name !== 'pwdAccountLockedTime' || value === untilUnlocked;

/** Servers differ in how they capitalise attribute names. */
function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase();
  const found = Object.entries(entry).find(
    ([name]) => name !== 'dn' && name.toLowerCase() === wanted,
  );
  return found ? [found[1]].flat().slice(0, mostValues) : [];
}

/** The values of an attribute that are valid text. */
export const textsOf = (entry: Entry, attribute: string): string[] =>
  valuesOf(entry, attribute).map(String).filter(isText);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id in normal form; null if there is not exactly one valid id. */
export function entryIdOf(attribute: string, values: readonly (string | Buffer)[]): string | null {
  const [value] = values;
  if (value === undefined || values.length !== 1) return null;
  if (attribute === 'objectGUID')
    return Buffer.isBuffer(value) && value.length === 16 ? guidOf(value) : null;
  const text = String(value).toLowerCase();
  return uuid.test(text) ? text : null;
}

/** A GUID as Windows writes it: the first three parts are numbers whose lowest byte comes first. */
export function guidOf(bytes: Buffer): string {
  const [a, b, c] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
  const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
  const rest = bytes.toString('hex', 8);
  return `${hex(a, 8)}-${hex(b, 4)}-${hex(c, 4)}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

export function bytesOf(guid: string): Buffer {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}
