import { checkProfile, emailAddress, personName, username } from '../../identity/accounts.ts';
import { notify } from '../../mail/notify.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { type StoredClaims, writtenClaims } from '../../oauth/claims.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { orTaken } from '../../store/engine/database.ts';
import * as store from '../../store/user-changes.ts';
import type { ValueChange } from '../../store/user-fields.ts';
import type { UserRecord } from '../../store/user-list.ts';
import { normalKey, type Taken, whyNameIsTaken } from '../../store/users.ts';
import { difference } from '../difference.ts';
import { type Faults, refuseConflict, refuseFaults } from '../refusal.ts';
import { fieldChanges, type TypedFields } from './field-values.ts';
import { accountFaults, refuseTaken } from './user-faults.ts';
import { showUser, userWithId } from './users.ts';

type UserChange = {
  username?: string;
  email?: string;
  name?: string | null;
  emailVerified?: boolean;
  claims?: unknown;
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
  const { claims, faults } =
    change.claims === undefined ? { claims: user.claims, faults: {} } : readClaims(change.claims);
  const profile = { ...profileAfter(user, change), claims };
  const own = await fieldChanges(user.id, change.fields);
  refuseFaults({ ...profileFaults(user, profile), ...faults, ...own.faults });
  const detail = { ...difference(profileOf(user), profile, told), ...toldOf(own.changes) };
  if (Object.keys(detail).length === 0) return user;
  const event = eventBy(actor, 'user.updated', { userId: user.id, detail });
  const seenUser = { ...user, updatedAt: seen ?? user.updatedAt };
  const outcome = await store
    .changeProfile(seenUser, { ...profile, values: own.changes }, event, now)
    .catch(orTaken);
  if (outcome === 'taken')
    await refuseTaken(await takenField(user, profile, now), profile.username, user.id, now);
  if (outcome === 'unchanged') {
    const changes = profile.username !== user.username;
    const why = changes && (await whyNameIsTaken(profile.username, user.id, now));
    if (why) await refuseTaken(why, profile.username, user.id, now);
    refuseConflict('account');
  }
  await tellOfProfile(user, profile, now);
  return userWithId(user.id);
}

const told = ['username', 'email', 'name', 'emailVerified', 'claims'] as const;
/** Only the names of the operator's own fields, because an event outlives the values. */
const toldOf = (changes: readonly ValueChange[]) =>
  changes.length > 0 ? { fields: changes.map(({ field }) => field) } : {};

/** Notifies the user, who may not have asked for it. The old email address is notified as well. */
async function tellOfProfile(user: UserRecord, after: store.Profile, now: Date): Promise<void> {
  if (normalKey(after.email) !== normalKey(user.email)) {
    await notify({ userId: user.id, to: user.email }, 'email-changed', { email: after.email }, now);
    await notify({ userId: user.id, to: after.email }, 'address-set', {}, now);
  }
  if (after.username !== user.username)
    await notify(user.id, 'username-changed', { before: user.username }, now);
}

function profileOf({ username, email, name, emailVerified, claims }: UserRecord): store.Profile {
  return { username, email, name, emailVerified, claims };
}

/** The claims in their stored form, or the faults by claim path such as `address.locality`. */
function readClaims(claims: unknown): { claims: StoredClaims; faults: Faults } {
  const parsed = writtenClaims.safeParse(claims);
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

function claimFault(claim: string): Sentence {
  if (claim === 'birthdate') return sentence('refused.person.birthdate');
  if (claim === 'locale') return sentence('refused.person.locale');
  if (/name$/.test(claim)) return sentence('setup.nameBad');
  const isLink = claim === 'website' || claim === 'profile';
  return sentence(isLink ? 'refused.person.link' : 'refused.person.long');
}

function profileAfter(user: UserRecord, change: UserChange): Omit<store.Profile, 'claims'> {
  const email = asStored(emailAddress, change.email) ?? user.email;
  const sameAddress = normalKey(email) === normalKey(user.email);
  return {
    username: change.username === undefined ? user.username : nameAfter(user, change.username),
    email,
    name: change.name === undefined ? user.name : asStored(personName, change.name) || null,
    emailVerified: change.emailVerified ?? (sameAddress && user.emailVerified),
  };
}

/** A value in its stored form; as it is if it has none, and the rules report that. */
const asStored = (form: typeof emailAddress, typed: string | null | undefined) =>
  typed ? (form.safeParse(typed).data ?? typed) : typed;

/** The username in its stored form. An unchanged one is left alone; the rules report a bad one. */
function nameAfter(user: UserRecord, typed: string): string {
  const parsed = typed.trim() === user.username ? null : username.safeParse(typed);
  return parsed?.success ? parsed.data : typed.trim();
}

/** The rules for new accounts, except for the password and an unchanged username. */
function profileFaults(user: UserRecord, profile: Omit<store.Profile, 'claims'>): Faults {
  const errors = checkProfile({ ...profile, name: profile.name ?? '' });
  if (profile.username === user.username) delete errors.username;
  return accountFaults(errors);
}

async function takenField(user: UserRecord, profile: store.Profile, now: Date): Promise<Taken> {
  const renames = profile.username !== user.username;
  return (renames && (await whyNameIsTaken(profile.username, user.id, now))) || 'email';
}
