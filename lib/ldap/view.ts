import type { Client } from '../oauth/client.ts';

/** What a bound program or person can see of the directory. */
export type View = {
  client: Client;
  baseDn: string;
  /** Whether entries have numbers for machines. */
  posix: boolean;
  /** A person who is bound sees only themselves and their groups; null: the app itself is bound. */
  person: { id: string; username: string } | null;
  /** The object classes of each kind of entry, in small letters. */
  classes: { person: ReadonlySet<string>; group: ReadonlySet<string> };
};

const personClasses = ['top', 'person', 'organizationalPerson', 'inetOrgPerson'];
const groupClasses = ['top', 'groupOfNames', 'groupOfUniqueNames'];

export const classesOf = (posix: boolean) => ({
  person: posix ? [...personClasses, 'posixAccount'] : personClasses,
  group: posix ? [...groupClasses, 'posixGroup'] : groupClasses,
});

type Seen = Omit<View, 'classes'>;

export function viewOf(seen: Seen): View {
  const { person, group } = classesOf(seen.posix);
  const small = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  return { ...seen, classes: { person: small(person), group: small(group) } };
}
