import type { Session } from '../store/sessions.ts';
import { clearThrottle, giveBackTry, takeTry } from '../store/throttles.ts';
import { type PasswordPlace, verifyPassword } from './passwords.ts';

const tries = 10;

/** Checks a password whose try is counted already; a server too busy to look at it gives the try back. @throws PasswordsBusy */
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

/** Somebody who is signed in shows by their password that it is them; guesses count for their session. @throws PasswordsBusy */
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
