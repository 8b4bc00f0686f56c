import { notify } from '../../mail/notify.ts';
import { readVouchedEmail } from '../../people/email.ts';
import { readFieldValue } from '../../people/user-field.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { auditing } from '../../store/audit.ts';
import {
  type DirectoryLink,
  findEntry,
  givingEntry,
  memberOfThese,
  noteFoundInDirectory,
} from '../../store/directories.ts';
import { isTaken } from '../../store/engine/database.ts';
import { idsOf } from '../../store/engine/parameters.ts';
import {
  findGroup,
  type Group,
  joiningAll,
  removeMember,
  storeMember,
} from '../../store/groups.ts';
import { changeProfile, disableUser, enableUser, type Profile } from '../../store/user-changes.ts';
import { fieldValuesOf, listFields, type ValueChange } from '../../store/user-fields.ts';
import { findUserRecordById, type UserRecord } from '../../store/user-list.ts';
import { type NewUser, normalKey, storeUser, type Taken } from '../../store/users.ts';
import { personName, username } from '../accounts.ts';
import { logouts } from '../back-channel.ts';
import type { Directory } from './configured.ts';
import type { DirectoryPerson } from './entry.ts';

const directoryActor = ({ id }: Directory): Actor => ({ id: `directory:${id}` });

export type Told = {
  directory: Directory;
  person: DirectoryPerson;
  /** Names of our groups that they are in. */
  ours: readonly string[];
};

/** Why a person of a directory gets no account: what is missing there, or what is taken here. */
export type Unfit = 'username' | 'email' | `taken-${Taken}`;

function accountOf(directory: Directory, person: DirectoryPerson): NewUser | { unfit: Unfit } {
  const name = username.safeParse(person.username ?? '');
  const email = readVouchedEmail(person.email ?? '');
  if (!name.success) return { unfit: 'username' };
  if (email === null) return { unfit: 'email' };
  return {
    username: name.data,
    email,
    emailVerified: isVerified(directory, email),
    name: shownName(person),
    passwordHash: null,
    isAdmin: false,
  };
}

/** The operator has listed the domains whose addresses the directory vouches for. */
const isVerified = ({ verifiedDomains }: Directory, email: string) =>
  verifiedDomains.includes(normalKey(email).split('@').at(-1) ?? '');

function shownName({ name }: DirectoryPerson): string | null {
  const read = personName.safeParse(name ?? '');
  return read.success ? read.data || null : null;
}

/**
 * Creates an account for a person of a directory, unless their address or username already belongs
 * to an account here. Concurrent sign-ins of one person get the same account.
 */
export async function admit(
  told: Told,
  actor: Actor,
  now: Date,
): Promise<{ userId: string } | { unfit: Unfit }> {
  const { directory, person, ours } = told;
  const account = accountOf(directory, person);
  if ('unfit' in account) return account;
  const groups = await groupsNamed(ours);
  const entry = { directory: directory.id, entryId: person.id };
  const detail = { username: account.username, email: account.email, directory: directory.name };
  const along = (userId: string) => [
    givingEntry({ ...entry, userId, dn: person.dn }, now),
    auditing(eventBy(actor, 'user.created', { userId, detail }), now),
    ...joiningAll(userId, groups, actor, now),
  ];
  try {
    const stored = await storeUser(account, now, along);
    if ('taken' in stored) return await againstOthers(entry, stored.taken);
    await follow(told, stored.id, now);
    return { userId: stored.id };
  } catch (error) {
    if (!isTaken(error)) throw error;
    return againstOthers(entry, 'username');
  }
}

/** A concurrent request for the same person may have been faster. */
async function againstOthers(
  entry: Pick<DirectoryLink, 'directory' | 'entryId'>,
  taken: Taken,
): Promise<{ userId: string } | { unfit: Unfit }> {
  const link = await findEntry(entry);
  return link ? { userId: link.userId } : { unfit: `taken-${taken}` };
}

/** Our groups with these names; names without a group are left out. */
async function groupsNamed(names: readonly string[]): Promise<Group[]> {
  const found = await Promise.all([...new Set(names)].map((name) => findGroup(name)));
  return found.filter((group) => group !== null && group !== 'several');
}

/** What changes for a user, according to their directory. */
type Following = {
  profile: (keyof Profile | 'fields')[];
  joins: string[];
  leaves: string[];
  enables: boolean;
  /** Their new address belongs to another account here: they keep the old one. */
  collides: boolean;
};

const nothing: Following = { profile: [], joins: [], leaves: [], enables: false, collides: false };
export const changesNothing = ({ profile, joins, leaves, enables }: Following): boolean =>
  profile.length + joins.length + leaves.length === 0 && !enables;

/**
 * Updates an account to match its directory entry: address, name, fields and groups. The username
 * stays, because apps may know the user by it. When the address changes, the old one gets a mail.
 * `plan`: only returns what would change.
 */
export async function follow(
  told: Told,
  userId: string,
  now: Date,
  plan = false,
): Promise<Following> {
  const user = await findUserRecordById(userId);
  if (!user) return nothing;
  const follow = { ...told, user, plan };
  const profile = await followProfile(follow, now);
  const groups = await followGroups(follow, now);
  if (!plan) await noteFoundInDirectory(userId, told.person.dn, now);
  return { ...profile, ...groups, enables: false };
}

/** An account, and what its directory tells about its user. */
type Follow = Told & { user: UserRecord; plan: boolean };

async function followProfile(
  follow: Follow,
  now: Date,
): Promise<Pick<Following, 'profile' | 'collides'>> {
  const { directory, user, person, plan } = follow;
  const after = profileOf(follow);
  const values = await changedValues(user.id, person);
  const names = (['email', 'emailVerified', 'name'] as const).filter(
    (name) => user[name] !== after[name],
  );
  const profile = [...names, ...(values.length > 0 ? (['fields'] as const) : [])];
  if (profile.length === 0 || plan) return { profile, collides: false };
  const changes = Object.fromEntries(names.map((name) => [name, [user[name], after[name]]]));
  const detail = {
    ...changes,
    ...(values.length > 0 && { fields: values.map(({ field }) => field) }),
  };
  const event = eventBy(directoryActor(directory), 'user.updated', { userId: user.id, detail });
  try {
    const outcome = await changeProfile(user, { ...after, values }, event, now);
    if (outcome === 'done' && !isSameAddress(after.email, user.email))
      await notify(
        { userId: user.id, to: user.email },
        'email-changed',
        { email: after.email },
        now,
      );
    return { profile, collides: false };
  } catch (error) {
    if (!isTaken(error)) throw error;
    return { profile: [], collides: true };
  }
}

function profileOf({ directory, user, person }: Follow): Profile {
  const { username, claims } = user;
  const email = readVouchedEmail(person.email ?? '') ?? user.email;
  const emailVerified =
    isVerified(directory, email) || (isSameAddress(email, user.email) && user.emailVerified);
  const name = person.name === null ? user.name : shownName(person);
  return { username, email, emailVerified, name, claims };
}

const isSameAddress = (one: string, other: string) => normalKey(one) === normalKey(other);

async function changedValues(userId: string, person: DirectoryPerson): Promise<ValueChange[]> {
  const wanted = Object.entries(person.fields);
  if (wanted.length === 0) return [];
  const [fields, values] = await Promise.all([listFields(), fieldValuesOf(userId)]);
  return wanted.flatMap(([name, texts]): ValueChange[] => {
    const field = fields.find((each) => each.name === name);
    const read =
      field && readFieldValue(field.type, field.type === 'list' ? texts : texts.slice(0, 1));
    if (!read || 'fault' in read) return [];
    const isSame = JSON.stringify(values.get(name) ?? null) === JSON.stringify(read.value);
    return isSame ? [] : [{ field: name, type: field.type, value: read.value }];
  });
}

/** Puts the user into exactly those of the mapped groups that the directory lists for them. */
async function followGroups(
  { directory, user, ours, plan }: Follow,
  now: Date,
): Promise<Pick<Following, 'joins' | 'leaves'>> {
  const decided = await groupsNamed([...directory.groups.of.values()].flat());
  const wanted = new Set((await groupsNamed(ours)).map(({ id }) => id));
  const inside = await memberOfThese(user.id, idsOf(decided));
  const joins = decided.filter(({ id }) => wanted.has(id) && !inside.has(id));
  const leaves = decided.filter(({ id }) => !wanted.has(id) && inside.has(id));
  const about = ({ id, name }: Group) => ({ userId: user.id, detail: { id, name } });
  const by = directoryActor(directory);
  if (!plan) {
    for (const group of joins)
      await storeMember(
        { groupId: group.id, userId: user.id },
        eventBy(by, 'group.member-added', about(group)),
        now,
      );
    for (const group of leaves)
      await removeMember(
        { groupId: group.id, userId: user.id },
        eventBy(by, 'group.member-removed', about(group)),
        now,
      );
  }
  return { joins: joins.map(({ name }) => name), leaves: leaves.map(({ name }) => name) };
}

/** The directory entry is disabled or gone. Never disables the last admin. */
export async function disableFor(
  directory: Directory,
  userId: string,
  now: Date,
): Promise<boolean> {
  const event = eventBy(directoryActor(directory), 'user.disabled', { userId });
  if ((await disableUser(userId, event, now, 'directory')) !== 'done') return false;
  logouts.soon();
  return true;
}

/**
 * Enables an account that the directory had disabled. False if the directory had not, or if an
 * admin has decided otherwise since, perhaps while the caller was asking the directory.
 */
export async function enableFor(directory: Directory, userId: string, now: Date): Promise<boolean> {
  const event = eventBy(directoryActor(directory), 'user.enabled', { userId });
  return (await enableUser(userId, event, now, 'directory')) === 'done';
}
