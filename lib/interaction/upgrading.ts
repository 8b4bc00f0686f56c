import { isFresh } from '../identity/guards.ts';
import { passkeysPossible, worksHere } from '../identity/passkeys.ts';
import { isMultiFactor } from '../oauth/acr.ts';
import { listPasskeys } from '../store/passkeys.ts';
import type { Session } from '../store/sessions.ts';
import { readSettings } from '../store/settings.ts';

/**
 * Whether the browser may create a passkey without asking. Its user must have just signed in with a
 * password and a second step, and have no passkey for this address. For a user without a second
 * factor, the passkey would become one that they never asked for.
 */
export async function mayUpgrade({ user, amr, ...session }: Session, now: Date): Promise<boolean> {
  const byPassword = amr.split(' ').includes('pwd') && isMultiFactor(amr);
  if (!byPassword || !user.hasFactor || !isFresh({ ...session, user, amr }, now)) return false;
  if (!passkeysPossible() || (await readSettings()).passkeyUpgrade === 'off') return false;
  return !(await listPasskeys(user.id)).some(worksHere);
}
