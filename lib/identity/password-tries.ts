import { giveBackTry } from '../store/throttles.ts';
import { type PasswordPlace, verifyPassword } from './passwords.ts';

/** Wrong passwords in 15 minutes under one name, before it has to wait. */
export const triesOfAccount = 10;

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
