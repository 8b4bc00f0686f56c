import type { Session } from '../store/sessions.ts';
import { clearThrottle, giveBackTry, takeTry } from '../store/throttles.ts';
import { type PasswordPlace, verifyPassword } from './passwords.ts';

const tries = 10;

/**
 * Checks a password whose attempt is already counted; a server too busy to check returns the
 * attempt.
 * @throws PasswordsBusy
 */
export async function verifyCounted(
  password: string,
  stored: string | null,
  keys: readonly string[],
  place?: PasswordPlace,
): Promise<boolean> {
  try {
    return await verifyPassword(password, stored, place);
  } catch (error) {
    await Promise.all(keys.map(giveBackTry));
    throw error;
  }
}

/**
 * A signed-in user confirms their identity by password; guesses count against their session.
 * @throws PasswordsBusy
 */
export async function proveOwnPassword(
  session: Session,
  password: string,
  stored: string | null,
  now: Date,
): Promise<'right' | 'wrong' | { refusedUntil: Date }> {
  const key = `password:${session.hash}`;
  const taken = await takeTry({ key, limit: tries }, now);
  if ('refusedUntil' in taken) return taken;
  if (!(await verifyCounted(password, stored, [key]))) return 'wrong';
  await clearThrottle(key);
  return 'right';
}
