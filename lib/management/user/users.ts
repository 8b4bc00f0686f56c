import { checkAccount, newAccount } from '../../identity/accounts.ts';
import { passwordFault } from '../../identity/password-rules.ts';
import { hashPassword } from '../../identity/passwords.ts';
import { notify } from '../../mail/notify.ts';
import { sentence } from '../../messages/sentence.ts';
import { holdsRole, type Role } from '../../people/roles.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { auditing } from '../../store/audit.ts';
import type { Outcome } from '../../store/changing-people.ts';
import { agentsOf } from '../../store/contacts.ts';
import { findDirectoryLink } from '../../store/directories.ts';
import type { Page } from '../../store/engine/page.ts';
import type { Statement } from '../../store/engine/statement.ts';
import { removeAllFactors } from '../../store/factors.ts';
import { joiningAll } from '../../store/groups.ts';
import * as store from '../../store/user-changes.ts';
import {
  findUserRecord,
  findUserRecordById,
  type UserFilter,
  type UserRecord,
  userList,
} from '../../store/user-list.ts';
import { type NewUser, storeUser } from '../../store/users.ts';
import { keeping } from '../deletion/keeping.ts';
import { checkEnd } from '../ends.ts';
import { namedGroups } from '../group/groups.ts';
import { pageOf } from '../page.ts';
import { refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { asMeant } from './people-search.ts';
import { accountFaults, refuseTaken } from './user-faults.ts';

export { readFactors as factorsOf } from '../../store/factors.ts';
export type { UserFilter, UserRecord };

/** Users, newest first. @throws AdminRefusal */
export async function listUsers(filter: UserFilter = {}): Promise<Page<UserRecord>> {
  return pageOf(userList, await asMeant(filter));
}

/** The user with this id, username or email address. @throws AdminRefusal */
export async function showUser(key: string): Promise<UserRecord> {
  const found = await findUserRecord(key);
  if (found === 'several') refuseAdmin('user', sentence('refused.person.ambiguous', { name: key }));
  return found ?? refuseMissingUser(key.slice(0, 80));
}

/** @throws AdminRefusal always */
export const refuseMissingUser = (name: string): never =>
  refuseAdmin('user', sentence('refused.person.missing', { name }), 'missing');

/** The user with exactly this id. @throws AdminRefusal */
export async function userWithId(id: string): Promise<UserRecord> {
  return (
    (await findUserRecordById(id)) ??
    refuseAdmin('user', sentence('refused.person.gone'), 'missing')
  );
}

/**
 * Like `showUser`, for an act on this user.
 * @throws AdminRefusal if they are out of the actor's reach
 */
export async function userInReach(key: string, { reach }: Actor): Promise<UserRecord> {
  const user = await showUser(key);
  return reach === 'people' && holdsRole(user) ? refuseReach(user) : user;
}

/** Users who only help people can't change an account that could give them more than they have. */
export function refuseReach({ username }: UserRecord): never {
  return refuseAdmin('user', sentence('refused.person.outOfReach', { username }));
}

/** The id of the user with this id, username or email address, or null. @throws AdminRefusal */
export async function findUserId(key: string): Promise<string | null> {
  return (await findUserRecord(key)) === null ? null : (await showUser(key)).id;
}

type UserInput = {
  username: string;
  email: string;
  password: string;
  name?: string;
  admin?: boolean;
  emailVerified?: boolean;
  /** The user must choose a new password at the next sign-in. */
  mustChangePassword?: boolean;
  /** Groups they are in, by name or id. */
  groups?: readonly string[];
  /** When the account ends by itself. */
  endsAt?: Date | null;
};

/** Checks what a new account is to have, and hashes its password. @throws AdminRefusal, PasswordsBusy */
export async function accountFrom(input: UserInput): Promise<NewUser> {
  const account = { ...input, name: input.name ?? '' };
  refuseFaults(accountFaults(await checkAccount(account)));
  return newAccount(account, input.admin ?? false);
}

/**
 * Creates an account. @param account from `accountFrom`, which waits for the hash
 * @throws AdminRefusal, PasswordsBusy
 */
export async function createUser(
  input: UserInput,
  actor: Actor,
  now: Date,
  account?: NewUser,
): Promise<UserRecord> {
  const checked = account ?? (await accountFrom(input));
  const groups = await namedGroups(input.groups ?? []);
  const { admin = false, emailVerified = false, mustChangePassword = false, endsAt } = input;
  checkEnd(endsAt, now);
  if (admin && endsAt) refuseEndOfAdmin(checked);
  const made = { ...checked, emailVerified, mustChangePassword };
  const { username, email } = made;
  const detail = { username, email, admin, emailVerified, ...(endsAt && { endsAt }) };
  const along = (userId: string) => [
    ...(endsAt ? [store.givingEnd(userId, endsAt)] : []),
    auditing(eventBy(actor, 'user.created', { userId, detail }), now),
    ...joiningAll(userId, groups, actor, now),
  ];
  const stored = await storeUser(made, now, along);
  if ('taken' in stored) return refuseTaken(stored.taken, made.username, null, now);
  return userWithId(stored.id);
}

/**
 * Disables a user: blocks sign-in and ends sessions, codes and tokens for good.
 * @throws AdminRefusal for the last enabled admin
 */
export function disableUser(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  return changed(key, (user) =>
    store.disableUser(user.id, eventBy(actor, 'user.disabled', { userId: user.id }), now),
  );
}

/** Enables a user again. Revoked sessions stay revoked. @throws AdminRefusal */
export function enableUser(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  return changed(key, (user) =>
    store.enableUser(user.id, eventBy(actor, 'user.enabled', { userId: user.id }), now),
  );
}

/**
 * Sets when an account ends by itself; null: it does not.
 * @throws AdminRefusal for a moment that is over, and for an admin's account
 */
export async function setEnd(
  key: string,
  endsAt: Date | null,
  actor: Actor,
  now: Date,
): Promise<UserRecord> {
  checkEnd(endsAt, now);
  return changed(key, async (user) => {
    if (+(user.endsAt ?? 0) === +(endsAt ?? 0) && user.endReason === null) return 'unchanged';
    if (user.admin && endsAt) refuseEndOfAdmin(user);
    const detail = { endsAt: { before: user.endsAt, after: endsAt } };
    const event = eventBy(actor, 'user.end-changed', { userId: user.id, detail });
    const outcome = await store.setUserEnd(user.id, endsAt, event, now);
    return outcome === 'last-admin' ? refuseEndOfAdmin(user) : outcome;
  });
}

const refuseEndOfAdmin = ({ username }: Pick<UserRecord, 'username'>): never =>
  refuseAdmin('ends_at', sentence('refused.end.admin', { username }), 'conflict');

/**
 * Requires two steps of a user at each sign-in, or leaves that to the server's rule.
 * @throws AdminRefusal
 */
export function requireSecondFactor(
  key: string,
  required: boolean,
  actor: Actor,
  now: Date,
): Promise<UserRecord> {
  const type = required ? 'factors.required' : 'factors.optional';
  return changed(key, ({ id }) =>
    store.requireSecondFactor(id, required, eventBy(actor, type, { userId: id }), now),
  );
}

/** Grants or removes the admin role. @throws AdminRefusal for the last enabled admin */
export async function setAdmin(
  key: string,
  admin: boolean,
  actor: Actor,
  now: Date,
): Promise<UserRecord> {
  const user = await showUser(key);
  if (user.admin === admin) return user;
  return setRole(user.id, admin ? 'admin' : 'none', actor, now);
}

/**
 * Replaces a user's role in the dashboard.
 * @throws AdminRefusal for the last enabled admin, or if the role was changed at the same moment
 */
export async function setRole(
  key: string,
  role: Role,
  actor: Actor,
  now: Date,
): Promise<UserRecord> {
  const user = await showUser(key);
  if (actor.reach === 'people') refuseAdmin('user', sentence('refused.person.roles'));
  if (user.role === role) return user;
  if (role === 'admin' && user.endsAt) refuseEndOfAdmin(user);
  const change = { before: user.role, after: role };
  const event = eventBy(actor, 'user.role-changed', { userId: user.id, detail: { role: change } });
  const outcome = await store.setRole(user.id, change, event, now);
  check(user, outcome);
  const after = await userWithId(user.id);
  if (outcome === 'unchanged' && after.role !== role) refuseConflict('account');
  return after;
}

/** Checks and hashes a new password for a user. @throws AdminRefusal, PasswordsBusy */
export async function passwordHashFor(
  key: string,
  password: string,
  actor: Actor,
): Promise<string> {
  const person = await userInReach(key, actor);
  if (await findDirectoryLink(person.id)) refuseAdmin('user', sentence('refused.person.directory'));
  const fault = await passwordFault(password, person);
  refuseFaults(fault ? accountFaults({ password: fault }) : {});
  return hashPassword(password);
}

/**
 * Sets a new password, ends everything opened with the old one, and notifies the user.
 * `mustChange`: the user must choose another at the next sign-in.
 * @param hash from `passwordHashFor`
 * @throws AdminRefusal
 */
export async function resetPassword(
  key: string,
  hash: string,
  actor: Actor,
  now: Date,
  mustChange = false,
): Promise<UserRecord> {
  const { id } = await userInReach(key, actor);
  if (await findDirectoryLink(id)) refuseAdmin('user', sentence('refused.person.directory'));
  const event = eventBy(actor, 'password.reset', { userId: id, detail: { mustChange } });
  const user = await changed(id, () =>
    store.resetPassword(id, { hash, mustChange, reach: actor.reach }, event, now),
  );
  await notify(id, 'password-reset', {}, now);
  return user;
}

/**
 * Removes a user's second factors and recovery codes after the user lost them. The password alone
 * is then enough to sign in, so verify the user's identity first.
 * @throws AdminRefusal if there are none
 */
export async function removeFactors(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  const user = await userInReach(key, actor);
  const outcome = await removeAllFactors(
    user.id,
    eventBy(actor, 'factors.reset', { userId: user.id }),
    now,
    actor.reach,
  );
  if (outcome === 'none')
    refuseAdmin('user', sentence('refused.person.noSecondStep', { username: user.username }));
  await notify(user.id, 'second-factor-off', {}, now);
  return userWithId(user.id);
}

/**
 * Deletes a user with everything they own, for good once the setting's time is over, and returns
 * the record. With `seen` (its `updatedAt`), a
 * record that was changed since is not deleted.
 * @throws AdminRefusal for the last enabled admin, and for a person who answers for an agent
 */
export async function deleteUser(
  key: string,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<UserRecord> {
  const user = await showUser(key);
  const { id } = user;
  const detail = { username: user.username, email: user.email };
  const event = eventBy(actor, 'user.deleted', { userId: id, detail });
  const outcome = await store.deleteUser(
    id,
    { event, seen, keeping: await rest(user, actor, now) },
    now,
  );
  check(user, outcome);
  if (outcome === 'answers-for-agent') await refuseOwner(user);
  if (outcome === 'unchanged') refuseConflict('account');
  return user;
}

/**
 * The statements that keep a user who is about to be deleted. Whoever asked for it themselves is
 * deleted for good.
 */
export const rest = async (
  { id, username, deletionAt }: UserRecord,
  actor: Actor,
  now: Date,
): Promise<Statement[]> => (deletionAt ? [] : keeping('user', { id, name: username }, actor, now));

async function changed(
  key: string,
  change: (user: UserRecord) => Promise<Outcome>,
): Promise<UserRecord> {
  const user = await showUser(key);
  check(user, await change(user));
  return userWithId(user.id);
}

function check(user: UserRecord, outcome: Outcome): void {
  if (outcome === 'missing') refuseMissingUser(user.username);
  if (outcome === 'out-of-reach') refuseReach(user);
  if (outcome === 'last-admin') refuseLastAdmin(user);
}

/** The maximum number of agents that are named. */
const mostNamed = 5;

/** @throws AdminRefusal that names the agents, and says how to hand them over */
async function refuseOwner({ id, username }: UserRecord): Promise<never> {
  const names = (await agentsOf(id, mostNamed)).map((text) => sentence('refused.quoted', { text }));
  return refuseAdmin('user', sentence('refused.person.answers', { username, names }), 'conflict');
}

/** @throws AdminRefusal always */
export function refuseLastAdmin({ username }: UserRecord): never {
  return refuseAdmin('user', sentence('refused.person.lastAdmin', { username }));
}
