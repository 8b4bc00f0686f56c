import type { Client } from '../oauth/client.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { findClient } from '../store/clients.ts';
import { storeNewcomer } from '../store/introductions.ts';

/**
 * The client as it is stored. One that introduces itself now is stored by this, once, however many
 * people agree to it at the same time; null if it was removed in between.
 * @param actor the person who has just agreed to it
 */
export async function keepIntroduced(
  client: Client,
  actor: Actor,
  now: Date,
): Promise<Client | null> {
  if (!client.newcomer) return client;
  const { id: clientId, origin, host } = client;
  const about = { userId: actor.id, clientId, detail: { name: client.name, origin, host } };
  await storeNewcomer(client, eventBy(actor, 'client.introduced', about), now);
  return findClient(clientId);
}
