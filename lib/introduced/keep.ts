import type { Client } from '../oauth/client.ts';
import { refusePage } from '../oauth/errors.ts';
import { nameForAdmins } from '../oauth/self-given-name.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { findClient } from '../store/clients.ts';
import { storeNewcomer } from '../store/introductions.ts';
import { takeThrottledTry } from '../store/throttles.ts';

/** New clients that one person may bring in 15 minutes, so that no account fills the database with them. */
const mostForPerson = 20;

/**
 * The client as it is stored. One that introduces itself now is stored by this, once, however many
 * people agree to it at the same time; null if it was removed in between.
 * @param actor the person who has just agreed to it
 * @throws PageRefusal if they have brought too many lately
 */
export async function keepIntroduced(
  client: Client,
  actor: Actor,
  now: Date,
): Promise<Client | null> {
  if (!client.newcomer) return client;
  if ((await takeThrottledTry(`introduced:${actor.id}`, mostForPerson, now)) === 'refused')
    refusePage(
      'server_busy',
      'This person has let in many new apps lately.',
      'temporarily_unavailable',
    );
  const { id: clientId, origin, host } = client;
  const about = {
    userId: actor.id,
    clientId,
    detail: { name: nameForAdmins(client), origin, host },
  };
  await storeNewcomer(client, eventBy(actor, 'client.introduced', about), now);
  return findClient(clientId);
}
