import { widenGrantOf } from '../../store/grants.ts';
import { currentGrant } from '../../store/withdrawals.ts';

/**
 * Stores what a client holds of a user from now on, although no page asked them. The user sees it
 * among their connected apps and can revoke it there. It does not count as consent: the client's
 * consent page asks as usual. Returns the id of the grant; 'gone': the user or the client was
 * deleted.
 */
export async function silentGrant(
  { userId, clientId }: { userId: string; clientId: string },
  words: readonly string[],
  now: Date,
): Promise<string | 'gone'> {
  const held = await currentGrant(userId, clientId, now);
  const given = { scopes: [...words], remembered: [] };
  return widenGrantOf({ userId, clientId }, held, given, now);
}
