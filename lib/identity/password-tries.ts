import { giveBackTry } from '../store/throttles.ts';
import { type PasswordPlace, verifyPassword } from './passwords.ts';

/** Wrong passwords allowed for one name in 15 minutes; then there is a pause. */
export const triesOfAccount = 10;

/**
 * Checks a password whose attempt is already counted. If the server is too busy to check it, the
 * attempt is given back.
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
