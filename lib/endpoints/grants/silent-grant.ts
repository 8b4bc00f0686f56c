import { widenGrantOf } from '../../store/grants.ts';
import { currentGrant } from '../../store/withdrawals.ts';

/**
 * What a client holds of a person from now on though nobody was asked on a page: seen among their connected
 * apps, and taken back there. Nothing is remembered: whoever sees a consent page of the client is asked
 * as ever. Gives the id of the grant; 'gone': the person or the client was deleted.
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
