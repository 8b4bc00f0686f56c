import { EqualityFilter, ExtensibleFilter, OrFilter } from 'ldapts';
import type { DirectoryConnection } from './asking.ts';
import type { Directory } from './configured.ts';
import { dnKey } from './dn.ts';
import { type DirectoryPerson, textsOf } from './entry.ts';

/** How deep nested groups are followed, and how many groups at most. */
const deepest = 10;
const mostGroups = 500;
/** LDAP_MATCHING_RULE_IN_CHAIN of Active Directory. */
const inChain = '1.2.840.113556.1.4.1941';

/** A cache for processing many people: the groups a group is in, by the group's key. */
export type GroupCache = Map<string, readonly string[]>;

/** The names of our groups that a person of a directory is in, by their groups there. */
export async function ourGroupsOf(
  connection: DirectoryConnection,
  directory: Directory,
  person: Pick<DirectoryPerson, 'dn' | 'memberOf'>,
  seen: GroupCache = new Map(),
): Promise<string[]> {
  const { of, nested } = directory.groups;
  if (of.size === 0) return [];
  const keys =
    nested === 'chain'
      ? (await inAnyDepth(connection, directory, person.dn)).map((dn) => dnKey(dn))
      : await walk(connection, directory, person, seen);
  return [...new Set(keys.flatMap((key) => of.get(key) ?? []))];
}

async function inAnyDepth(
  connection: DirectoryConnection,
  { groups }: Directory,
  dn: string,
): Promise<string[]> {
  const filter = new ExtensibleFilter({ matchType: 'member', rule: inChain, value: dn });
  const found = await connection.search(groups.base, {
    ...onlyNames,
    scope: 'sub',
    filter,
    paged: { pageSize: 100 },
  });
  return found.map((entry) => entry.dn);
}

const onlyNames = { attributes: ['1.1'], derefAliases: 'never' as const, timeLimit: 30 };

/** Upwards, each once: cycles end, as do chains too deep or with too many groups. */
async function walk(
  connection: DirectoryConnection,
  directory: Directory,
  person: Pick<DirectoryPerson, 'dn' | 'memberOf'>,
  seen: GroupCache,
): Promise<string[]> {
  const { nested } = directory.groups;
  const found = new Set<string>();
  let next =
    nested === 'search' ? await groupsWith(connection, directory, person.dn) : person.memberOf;
  for (let depth = 0; depth < deepest && next.length > 0; depth += 1) {
    const fresh = next.filter((dn) => !found.has(dnKey(dn))).slice(0, mostGroups - found.size);
    for (const dn of fresh) found.add(dnKey(dn));
    next = [];
    if (nested === 'off') break;
    for (const dn of fresh) next = [...next, ...(await above(connection, directory, dn, seen))];
  }
  return [...found];
}

async function above(
  connection: DirectoryConnection,
  directory: Directory,
  dn: string,
  seen: GroupCache,
): Promise<readonly string[]> {
  const known = seen.get(dnKey(dn));
  if (known) return known;
  const found =
    directory.groups.nested === 'search'
      ? await groupsWith(connection, directory, dn)
      : await ownGroups(connection, dn);
  if (seen.size < 10_000) seen.set(dnKey(dn), found);
  return found;
}

async function groupsWith(
  connection: DirectoryConnection,
  { groups }: Directory,
  dn: string,
): Promise<string[]> {
  const filters = ['member', 'uniqueMember'].map(
    (attribute) => new EqualityFilter({ attribute, value: dn }),
  );
  const found = await connection.search(groups.base, {
    ...onlyNames,
    scope: 'sub',
    filter: new OrFilter({ filters }),
    paged: { pageSize: 100 },
  });
  return found.slice(0, mostGroups).map((entry) => entry.dn);
}

/** A group that is missing or unreadable counts as being in no groups. */
async function ownGroups(connection: DirectoryConnection, dn: string): Promise<string[]> {
  const [entry] = await connection
    .search(dn, { scope: 'base', attributes: ['memberOf'], derefAliases: 'never', timeLimit: 30 })
    .catch((error: Error & { code?: number }) => {
      if (error.code === 32 || error.code === 50) return [];
      throw error;
    });
  return entry ? textsOf(entry, 'memberOf').slice(0, mostGroups) : [];
}
