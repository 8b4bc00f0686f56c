import type { Session } from '../store/sessions.ts';
import { clearThrottle, giveBackTry, takeThrottledTry } from '../store/throttles.ts';
import { verifyPassword } from './passwords.ts';

const tries = 10;

/** Checks a password whose try is counted already; a server too busy to look at it gives the try back. @throws PasswordsBusy */
export async function verifyCounted(
  password: string,
  stored: string | null,
  keys: readonly string[],
): Promise<boolean> {
  try {
    return await verifyPassword(password, stored);
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
): Promise<'right' | 'wrong' | 'throttled'> {
  const key = `password:${session.hash}`;
  if ((await takeThrottledTry(key, tries, now)) === 'refused') return 'throttled';
  if (!(await verifyCounted(password, stored, [key]))) return 'wrong';
  await clearThrottle(key);
  return 'right';
}
