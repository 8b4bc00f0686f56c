import type { Client } from '../oauth/client.ts';
import { refusePageUntil } from '../oauth/errors.ts';
import { nameByProof, nameForAdmins } from '../oauth/self-given-name.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { findClient } from '../store/clients.ts';
import { storeRegistered } from '../store/registrations.ts';
import { takeTry } from '../store/throttles.ts';

/** New clients that one person may bring in 15 minutes, so no account can fill the database. */
const mostForPerson = 20;

/**
 * The client as it is stored. A client that registers itself now is stored here, once, however many
 * people agree to it at the same time. Null if it was removed in between.
 * @param actor the person who has just agreed to it
 * @throws PageRefusal if they have brought too many new clients lately
 */
export async function keepRegistered(
  client: Client,
  actor: Actor,
  now: Date,
): Promise<Client | null> {
  if (!client.unstored) return client;
  await limitPerson(client, actor, now);
  const { id: clientId, origin, host } = client;
  const about = {
    userId: actor.id,
    clientId,
    detail: { name: nameForAdmins(client), origin, host },
  };
  await storeRegistered(client, eventBy(actor, 'client.introduced', about), now);
  return findClient(clientId);
}

/** @throws PageRefusal */
async function limitPerson(client: Client, { id }: Actor, now: Date): Promise<void> {
  const tried = await takeTry({ key: `registered:${id}`, limit: mostForPerson }, now);
  if (!('refusedUntil' in tried)) return;
  refusePageUntil(
    tried.refusedUntil,
    'too_many_new_apps',
    `This person has let in ${mostForPerson} new apps within 15 minutes.`,
    {
      asked: { client: { id: client.id, name: nameByProof(client) }, redirectUri: undefined },
      facts: { rule: 'client.too-many-new', received: client.id },
    },
  );
}
