import type { Client } from '../oauth/client.ts';
import { clientAt } from '../store/clients.ts';

/** The client of this id, as of a revision; null if nobody has made it and it has not introduced itself. */
export async function clientFor(id: string, revision: number): Promise<Client | null> {
  return clientAt(revision, id);
}
