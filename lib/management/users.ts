import {
  type AccountErrors,
  checkAccount,
  newAccount,
  takenError,
  username,
} from '../identity/accounts.ts';
import { passwordFault } from '../identity/password-rules.ts';
import { hashPassword, passwordLengths } from '../identity/passwords.ts';
import { notify } from '../mail/notify.ts';
import { defaultLocale } from '../messages/locales.ts';
import { type MessageKey, sayIn } from '../messages/text.ts';
import { type StoredClaims, storedClaims } from '../oauth/claims.ts';
import { holdsRole, type Role } from '../oauth/roles.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { auditing } from '../store/audit.ts';
import { isTaken } from '../store/database.ts';
import { removeAllFactors } from '../store/factors.ts';
import { joiningAll, lockFor } from '../store/groups.ts';
import type { Page } from '../store/page.ts';
import * as store from '../store/user-changes.ts';
import type { ValueChange } from '../store/user-fields.ts';
import {
  findUserRecord,
  findUserRecordById,
  listUsers as listStored,
  type UserFilter,
  type UserRecord,
} from '../store/user-list.ts';
import { findReservation, freeName } from '../store/usernames.ts';
import { findUserByLogin, normalKey, storeUser, type Taken } from '../store/users.ts';
import { difference } from './difference.ts';
import { fieldChanges, type TypedFields } from './field-values.ts';
import { namedGroups } from './groups.ts';
import { pageOf } from './page.ts';
import { asMeant } from './people-search.ts';
import { type Faults, refuseAdmin, refuseConflict, refuseFaults } from './refusal.ts';

export { readFactors as factorsOf } from '../store/factors.ts';
export type { UserFilter, UserRecord };

/** Users, newest first. @throws AdminRefusal */
export async function listUsers(filter: UserFilter = {}): Promise<Page<UserRecord>> {
  return pageOf(listStored, await asMeant(filter));
}

/** The user with this id, username or email address. @throws AdminRefusal */
export async function showUser(key: string): Promise<UserRecord> {
  const found = await findUserRecord(key);
  if (found === 'several')
    refuseAdmin(
      'user',
      `"${key}" is the id of one user and the username of another. Use an email address instead.`,
    );
  return found ?? refuseAdmin('user', `There is no user "${key.slice(0, 80)}".`);
}

/** The user with exactly this id. @throws AdminRefusal */
export async function userWithId(id: string): Promise<UserRecord> {
  return (await findUserRecordById(id)) ?? refuseAdmin('user', 'This user no longer exists.');
}

/** As `showUser`, for an act on this user. @throws AdminRefusal where the actor's reach ends */
export async function showUserInReach(key: string, { reach }: Actor): Promise<UserRecord> {
  const user = await showUser(key);
  return reach === 'people' && holdsRole(user) ? refuseReach(user) : user;
}

/** Who only helps people never touches an account that could give them more than they have. */
export function refuseReach({ username }: UserRecord): never {
  return refuseAdmin(
    'user',
    `${username} has a role in this dashboard. Only an admin can change this account.`,
  );
}

/** The id of the user with this id, username or email address, or null. @throws AdminRefusal */
export async function findUserId(key: string): Promise<string | null> {
  return (await findUserRecord(key)) === null ? null : (await showUser(key)).id;
}

export type UserInput = {
  username: string;
  email: string;
  password: string;
  name?: string;
  admin?: boolean;
  /** The email address is verified. */
  emailVerified?: boolean;
  /** The user must choose a new password at the next sign-in. */
  mustChangePassword?: boolean;
  /** Groups they are in, by name or id. */
  groups?: readonly string[];
};

/** Creates an account. @throws AdminRefusal, PasswordsBusy */
export async function createUser(input: UserInput, actor: Actor, now: Date): Promise<UserRecord> {
  const account = { ...input, name: input.name ?? '' };
  refuseFaults(sentences(checkAccount(account)));
  const groups = await namedGroups(input.groups ?? []);
  const admin = input.admin ?? false;
  const { emailVerified = false, mustChangePassword = false } = input;
  const made = { ...(await newAccount(account, admin)), emailVerified, mustChangePassword };
  const detail = { username: made.username, email: made.email, admin, emailVerified };
  const along = (userId: string) => [
    auditing(eventBy(actor, 'user.created', { userId, detail }), now),
    ...joiningAll(userId, groups, actor, now),
  ];
  const stored = await storeUser(made, now, along, lockFor(groups));
  if ('taken' in stored) return refuseTaken(stored.taken, made.username, null, now);
  return userWithId(stored.id);
}

export type UserChange = {
  username?: string;
  email?: string;
  name?: string | null;
  emailVerified?: boolean;
  claims?: unknown;
  /** Values of fields of one's own. */
  fields?: TypedFields;
};

/**
 * Updates a user. With `seen` (`updatedAt` of the edited record) a concurrent change is refused. A
 * new email address is unverified unless stated otherwise.
 * @throws AdminRefusal
 */
export async function updateUser(
  key: string,
  change: UserChange,
  actor: Actor,
  now: Date,
  seen?: Date,
): Promise<UserRecord> {
  const user = await showUser(key);
  const { claims, faults } = readClaims(change.claims ?? user.claims);
  const profile = { ...profileAfter(user, change), claims };
  const own = await fieldChanges(user.id, change.fields);
  refuseFaults({ ...profileFaults(user, profile), ...faults, ...own.faults });
  const detail = { ...difference(profileOf(user), profile, told), ...toldOf(own.changes) };
  if (Object.keys(detail).length === 0) return user;
  const event = eventBy(actor, 'user.updated', { userId: user.id, detail });
  const outcome = await store
    .changeProfile(user.id, user.username, profile, seen ?? user.updatedAt, event, now, own.changes)
    .catch((error: unknown) => {
      if (isTaken(error)) return 'taken' as const;
      throw error;
    });
  if (outcome === 'taken')
    await refuseTaken(await takenField(user, profile), profile.username, user.id, now);
  if (outcome === 'unchanged') {
    await refuseReserved(profile.username, user.id, now);
    refuseConflict('account');
  }
  await tellOfProfile(user, profile, now);
  return userWithId(user.id);
}

const told = ['username', 'email', 'name', 'emailVerified', 'claims'] as const;
/** Of fields of one's own the names alone: an event outlives what it tells of. */
const toldOf = (changes: readonly ValueChange[]) =>
  changes.length > 0 ? { fields: changes.map(({ field }) => field) } : {};

/** Notifies the owner, who may not have asked for it; the old email address is told as well. */
async function tellOfProfile(user: UserRecord, after: store.Profile, now: Date): Promise<void> {
  if (normalKey(after.email) !== normalKey(user.email)) {
    await notify(user.id, 'email-changed', { email: after.email }, now, user.email);
    await notify(user.id, 'address-set', {}, now, after.email);
  }
  if (after.username !== user.username)
    await notify(user.id, 'username-changed', { before: user.username }, now);
}

function profileOf({ username, email, name, emailVerified, claims }: UserRecord): store.Profile {
  return { username, email, name, emailVerified, claims };
}

/** The claims in their stored form, or the faults by claim path such as `address.locality`. */
function readClaims(claims: unknown): { claims: StoredClaims; faults: Faults } {
  const parsed = storedClaims.safeParse(claims);
  const links = parsed.success ? [parsed.data.website, parsed.data.profile] : [];
  if (parsed.success && links.every((link) => !link || /^https?:/.test(link)))
    return { claims: parsed.data, faults: {} };
  const wrong = parsed.success
    ? ['website', 'profile']
    : parsed.error.issues.map(({ path }) => path.join('.'));
  return {
    claims: {},
    faults: Object.fromEntries(wrong.map((claim) => [claim, claimFault(claim)])),
  };
}

function claimFault(claim: string): string {
  if (claim === 'birthdate') return 'Enter a date such as 1815-12-10, or just a year.';
  if (claim === 'locale') return 'Enter a language tag such as de or pt-BR.';
  if (claim === 'website' || claim === 'profile')
    return 'Enter an address that starts with https:// or http://.';
  return 'This is too long.';
}

function profileAfter(user: UserRecord, change: UserChange): Omit<store.Profile, 'claims'> {
  const email = change.email?.trim() ?? user.email;
  const sameAddress = normalKey(email) === normalKey(user.email);
  return {
    username: change.username === undefined ? user.username : nameAfter(user, change.username),
    email,
    name: change.name === undefined ? user.name : change.name?.trim() || null,
    emailVerified: change.emailVerified ?? (sameAddress && user.emailVerified),
  };
}

/** The username in its stored form. An unchanged one is left alone; the rules report a bad one. */
function nameAfter(user: UserRecord, typed: string): string {
  const parsed = typed.trim() === user.username ? null : username.safeParse(typed);
  return parsed?.success ? parsed.data : typed.trim();
}

/** The rules for new accounts, except for the password and an unchanged username. */
function profileFaults(user: UserRecord, profile: Omit<store.Profile, 'claims'>): Faults {
  const { password: _, ...errors } = checkAccount({
    ...profile,
    name: profile.name ?? '',
    password: '',
  });
  if (profile.username === user.username) delete errors.username;
  return sentences(errors);
}

async function refuseTaken(
  taken: Taken,
  username: string,
  userId: string | null,
  now: Date,
): Promise<never> {
  if (taken === 'former-username') await refuseReserved(username, userId, now);
  const field = taken === 'email' ? 'email' : 'username';
  return refuseAdmin(field, sentences(takenError(taken))[field] ?? '');
}

/** @throws AdminRefusal if someone else gave the name up recently */
async function refuseReserved(username: string, userId: string | null, now: Date): Promise<void> {
  const until = await findReservation(normalKey(username), userId, now);
  if (!until) return;
  const day = until.toISOString().slice(0, 10);
  refuseAdmin(
    'username',
    `The username "${username}" was given up recently. It stays reserved until ${day}, so that apps don’t mistake one person for another. To release it, use user free-name on the command line.`,
  );
}

/** Releases a reserved username. @throws AdminRefusal if it is not reserved */
export async function freeUsername(name: string, actor: Actor, now: Date): Promise<void> {
  const event = eventBy(actor, 'user.name-freed', { detail: { username: name } });
  if (!(await freeName(normalKey(name), event, now)))
    refuseAdmin('username', `No username "${name.slice(0, 80)}" is reserved.`);
}

async function takenField(user: UserRecord, profile: store.Profile): Promise<'username' | 'email'> {
  const holder = await findUserByLogin(profile.username);
  return holder && holder.id !== user.id ? 'username' : 'email';
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

/** Enables a user again. What had ended stays ended. @throws AdminRefusal */
export function enableUser(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  return changed(key, (user) =>
    store.enableUser(user.id, eventBy(actor, 'user.enabled', { userId: user.id }), now),
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
 * Gives a user this role in the dashboard instead of the one they have.
 * @throws AdminRefusal for the last enabled admin, or if the role was changed at the same moment
 */
export async function setRole(
  key: string,
  role: Role,
  actor: Actor,
  now: Date,
): Promise<UserRecord> {
  const user = await showUser(key);
  if (actor.reach === 'people') refuseAdmin('user', 'Only an admin can give roles.');
  if (user.role === role) return user;
  const change = { before: user.role, after: role };
  const event = eventBy(actor, 'user.role-changed', { userId: user.id, detail: { role: change } });
  const outcome = await store.setRole(user.id, change, event, now);
  check(user, outcome);
  const after = await userWithId(user.id);
  if (outcome === 'unchanged' && after.role !== role) refuseConflict('account');
  return after;
}

/**
 * Sets a new password, ends everything opened with the old one, and notifies the user.
 * `mustChange`: the user must choose another at the next sign-in.
 * @throws AdminRefusal, PasswordsBusy
 */
export async function resetPassword(
  key: string,
  password: string,
  actor: Actor,
  now: Date,
  mustChange = false,
): Promise<UserRecord> {
  const { id, ...person } = await showUserInReach(key, actor);
  const fault = passwordFault(password, [person.username, person.email]);
  refuseFaults(fault ? sentences({ password: fault }) : {});
  const hash = await hashPassword(password);
  const event = eventBy(actor, 'password.reset', { userId: id, detail: { mustChange } });
  const user = await changed(id, () =>
    store.resetPassword(id, hash, mustChange, event, now, actor.reach),
  );
  await notify(id, 'password-reset', {}, now);
  return user;
}

/**
 * Removes a user's second factors and recovery codes after they lost them: the password alone signs
 * in again. Verify the user's identity first.
 * @throws AdminRefusal if there are none
 */
export async function removeFactors(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  const user = await showUserInReach(key, actor);
  const outcome = await removeAllFactors(
    user.id,
    eventBy(actor, 'factors.reset', { userId: user.id }),
    now,
    actor.reach,
  );
  if (outcome === 'none') refuseAdmin('user', `${user.username} has no second step.`);
  await notify(user.id, 'second-factor-off', {}, now);
  return userWithId(user.id);
}

/**
 * Deletes a user with everything they own, and returns the record.
 * @throws AdminRefusal for the last enabled admin
 */
export async function deleteUser(key: string, actor: Actor, now: Date): Promise<UserRecord> {
  const user = await showUser(key);
  const detail = { username: user.username, email: user.email };
  check(
    user,
    await store.deleteUser(
      user.id,
      eventBy(actor, 'user.deleted', { userId: user.id, detail }),
      now,
    ),
  );
  return user;
}

async function changed(
  key: string,
  change: (user: UserRecord) => Promise<store.Outcome>,
): Promise<UserRecord> {
  const user = await showUser(key);
  check(user, await change(user));
  return userWithId(user.id);
}

function check(user: UserRecord, outcome: store.Outcome): void {
  if (outcome === 'missing') refuseAdmin('user', `There is no user "${user.username}".`);
  if (outcome === 'out-of-reach') refuseReach(user);
  if (outcome === 'last-admin') {
    refuseAdmin(
      'user',
      `${user.username} is the last admin who can sign in. Make someone else an admin first.`,
    );
  }
}

function sentences(errors: AccountErrors): Faults {
  return Object.fromEntries(Object.entries(errors).map(([field, key]) => [field, say(key)]));
}

function say(key: MessageKey): string {
  return sayIn(defaultLocale)(key, passwordLengths) ?? key;
}
