import type { Actor } from '../store/actor.ts';
import type { User } from '../store/users.ts';
import { askForPassword, type DirectoryAnswer } from './directory/passwords.ts';
import { verifyCounted } from './password-tries.ts';
import type { PasswordPlace } from './passwords.ts';

/** What was typed to sign in, and the local account of that name. */
type Typed = { login: string; password: string; user: User | null };

type Counting = { keys: readonly string[]; place: PasswordPlace };

/**
 * The user who has proved their identity; or the reason for the failure, which only admins see:
 * users get the same message whatever the reason, unless a directory is away.
 */
type Proof = { user: User } | { reason: string; detail?: Record<string, string> };

/**
 * Checks a password where it is kept: here, or else in a directory. Until one of them accepts the
 * password, each is asked in turn, so response times reveal little about who has an account where
 * (docs/decisions/0044-directories.md).
 * @throws PasswordsBusy
 */
export async function provePassword(
  { login, password, user }: Typed,
  { keys, place }: Counting,
  actor: Actor,
  now: Date,
): Promise<Proof> {
  const right = await verifyCounted(password, user?.passwordHash ?? null, keys, place);
  if (user && right) return enabled(user);
  const answer = await askForPassword({ login, password, local: user }, actor, now);
  if ('user' in answer) return enabled(answer.user);
  return failure(answer, user);
}

const enabled = (user: User): Proof => (user.disabled ? { reason: 'disabled' } : { user });

function failure(
  { reason, ...detail }: Exclude<DirectoryAnswer, { user: User }>,
  user: User | null,
): Proof {
  if (reason !== 'none') return { reason, detail };
  return { reason: !user ? 'unknown' : user.disabled ? 'disabled' : 'password' };
}
