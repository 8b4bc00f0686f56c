import { randomBytes } from 'node:crypto';
import type { Actor } from '../../store/actor.ts';
import { type DirectoryLink, findDirectoryLink, findEntry } from '../../store/directories.ts';
import { type Counted, clearThrottle, takeTry } from '../../store/throttles.ts';
import { findUser, loginKey, type User } from '../../store/users.ts';
import { log } from '../../telemetry/log.ts';
import { triesOfAccount } from '../password-tries.ts';
import { passwordLimits } from '../passwords.ts';
import {
  askDirectory,
  DirectoryAway,
  type DirectoryConnection,
  DirectoryRefused,
} from './asking.ts';
import { type Directory, directories, directoryWithId, isSomePassword } from './configured.ts';
import { type DirectoryPerson, findById, findByLogin } from './entry.ts';
import { admit, enableFor, follow, type Told, type Unfit } from './follow.ts';
import { ourGroupsOf } from './groups.ts';

/** Only admins learn `reason`, but everyone that a directory is away. */
export type DirectoryAnswer =
  | { user: User }
  | { reason: Reason; directory?: string; entry?: string; account?: string; why?: string };
type Reason =
  /** No directory knows this person or this password. */
  | 'none'
  | 'directory-password'
  /** The login matches more than one entry. */
  | 'directory-several'
  /**
   * Too many wrong passwords were tried under names that only the directory matches to this person.
   */
  | 'directory-tries'
  /** Another account here has the name or address. */
  | 'directory-collision'
  /** The name or address is missing, or not one an account here can have. */
  | 'directory-unfit'
  | 'directory-disabled'
  /** The account is linked to an entry or a directory that no longer exists. */
  | 'directory-gone'
  /** It answered with an error about this person, such as a limit that was reached. */
  | 'directory-refused'
  | 'directory-away';

/**
 * Asks the directories whether this password belongs to the person the login names. If an account
 * here (`local`) has that login, it must be linked to the entry that is found.
 * @throws PasswordsBusy if too many requests are waiting
 */
export async function askForPassword(
  typed: { login: string; password: string; local: User | null },
  actor: Actor,
  now: Date,
): Promise<DirectoryAnswer> {
  const { password, local } = typed;
  if (directories().length === 0) return { reason: 'none' };
  // Checked before anything is asked: a directory takes an empty password for an anonymous bind.
  if (!isSomePassword(password) || password.length > passwordLimits.max)
    return { reason: 'directory-password' };
  const link = local && (await findDirectoryLink(local.id));
  const among = link ? [directoryWithId(link.directory)] : directories();
  let away: DirectoryAnswer | null = null;
  for (const directory of among) {
    if (directory === null) return { reason: 'directory-gone' };
    try {
      const answer = await askOne(directory, { ...typed, link }, actor, now);
      if (!('reason' in answer) || answer.reason !== 'none') return answer;
    } catch (error) {
      if (error instanceof DirectoryRefused)
        return { reason: 'directory-refused', directory: directory.name, why: error.message };
      if (!(error instanceof DirectoryAway)) throw error;
      away = { reason: 'directory-away', directory: directory.name };
    }
  }
  return away ?? { reason: link ? 'directory-gone' : 'none' };
}

type Asking = { login: string; password: string; local: User | null; link: DirectoryLink | null };
type Shown = Told & { owner: DirectoryLink | null };

async function askOne(
  directory: Directory,
  asking: Asking,
  actor: Actor,
  now: Date,
): Promise<DirectoryAnswer> {
  const shown = await askDirectory(directory, (connection) =>
    prove(connection, directory, asking, now),
  );
  if ('reason' in shown) return { directory: directory.name, ...shown };
  const { person, owner } = shown;
  const about = { directory: directory.name, entry: person.dn };
  if (!owner) {
    const admitted = await admit(shown, actor, now);
    if ('unfit' in admitted) return { reason: reasonOf(admitted.unfit), ...about };
    return userOf(admitted.userId);
  }
  if (owner.disabledByIt) await enableFor(directory, owner.userId, now);
  await follow(shown, owner.userId, now).catch((error: unknown) =>
    log().warn(
      { err: error, directory: directory.id },
      'an account was not updated from its directory',
    ),
  );
  return userOf(owner.userId);
}

async function userOf(id: string): Promise<DirectoryAnswer> {
  const user = await findUser(id);
  return user ? { user } : { reason: 'directory-gone' };
}

const reasonOf = (unfit: Unfit): Reason =>
  unfit.startsWith('taken-') ? 'directory-collision' : 'directory-unfit';

type Refused = { reason: Reason; entry?: string; account?: string };

/** The server checks the password, and is asked the same questions in every case. */
async function prove(
  connection: DirectoryConnection,
  directory: Directory,
  asking: Asking,
  now: Date,
): Promise<Shown | Refused> {
  const { login, password, local, link } = asking;
  const found = link
    ? [await findById(connection, directory, link.entryId)]
    : await findByLogin(connection, directory, login);
  const [person = null] = found;
  const owner = person && (await findEntry({ directory: directory.id, entryId: person.id }));
  const counted = person && countedApart(directory, person, owner, asking);
  const fault =
    faultOf(found.length, person, owner, local) ?? (counted && (await faultOfTries(counted, now)));
  const isRight = await connection.isPassword(
    fault || !person ? nobody(directory) : person.dn,
    fault ? randomBytes(12).toString('base64url') : password,
  );
  if (fault || !person)
    return { ...(person && { entry: person.dn }), ...(fault ?? { reason: 'none' }) };
  if (!isRight) return { reason: 'directory-password', entry: person.dn };
  if (counted) await clearThrottle(counted.key);
  await connection.beReader();
  const ours = await ourGroupsOf(connection, directory, person);
  return { directory, person, ours, owner };
}

/** Why the password is not checked for the person found. */
function faultOf(
  count: number,
  person: DirectoryPerson | null,
  owner: DirectoryLink | null,
  local: User | null,
): Refused | null {
  if (!person) return { reason: 'none' };
  if (count > 1) return { reason: 'directory-several' };
  if (local && owner?.userId !== local.id)
    return { reason: 'directory-collision', account: local.id };
  return person.disabled ? { reason: 'directory-disabled' } : null;
}

/**
 * Where tries are counted under a name that only the directory matches to this person (`álice` for
 * `alice`): all such names together, because there is no end of them. Null for a name we know the
 * person by, whose tries are counted already.
 */
function countedApart(
  directory: Directory,
  person: DirectoryPerson,
  owner: DirectoryLink | null,
  { login, local }: Asking,
): Counted | null {
  const names = [person.username, person.email].map((name) => loginKey(name ?? ''));
  if (local || names.includes(loginKey(login))) return null;
  const key = `directory:${directory.id}:${person.id}`;
  return { key, limit: triesOfAccount, userId: owner?.userId ?? null };
}

/** The user isn't told: a pause would reveal that two names mean the same existing person. */
async function faultOfTries(counted: Counted, now: Date): Promise<Refused | null> {
  return 'refusedUntil' in (await takeTry(counted, now)) ? { reason: 'directory-tries' } : null;
}

const nobody = ({ base }: Directory) => `cn=${randomBytes(12).toString('base64url')},${base}`;
