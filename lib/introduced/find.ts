import type { Client } from '../oauth/client.ts';
import type { Settings } from '../settings/table.ts';
import { clientAt } from '../store/clients.ts';

/** Where and under which settings a client is looked for. */
export type Seeking = {
  revision: number;
  settings: Settings;
  /** Where the browser is, if that is known. */
  address: string | null;
};

/**
 * The client of this id: a stored one, or one that introduces itself now and of which nothing is
 * stored yet; null if nobody has made it and it has not introduced itself.
 * @throws PageRefusal if it tries to introduce itself and cannot
 */
export async function clientFor(
  id: string,
  { revision }: Seeking,
  _now: Date,
): Promise<Client | null> {
  return clientAt(revision, id);
}
