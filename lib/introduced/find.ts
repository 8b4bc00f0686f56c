import type { Client } from '../oauth/client.ts';
import { isDocumentId } from '../oauth/client-document.ts';
import { clientAt } from '../store/clients.ts';
import { newcomerAt, refreshed } from './document-clients.ts';
import { registeredNewcomer } from './registration.ts';
import type { Seeking } from './seeking.ts';

/**
 * The client of this id: a stored one, or one that introduces itself now and of which nothing is
 * stored yet; null if nobody has made it and it has not introduced itself.
 * @throws PageRefusal if it tries to introduce itself and cannot
 */
export async function clientFor(id: string, seeking: Seeking, now: Date): Promise<Client | null> {
  const stored = await clientAt(seeking.revision, id);
  if (stored?.origin === 'document') return refreshed(stored, seeking, now);
  if (stored) return stored;
  return isDocumentId(id)
    ? newcomerAt(id, seeking, now)
    : registeredNewcomer(id, seeking.settings, now);
}
