import type { Client } from '../oauth/client.ts';
import { isDocumentId } from '../oauth/client-document.ts';
import { strengthened } from '../oauth/strong-client.ts';
import { clientAt, withSubjectKey } from '../store/clients.ts';
import { refreshed, unstoredAt } from './document-clients.ts';
import type { Seeking } from './seeking.ts';
import { selfRegistered } from './self-registration.ts';

/**
 * The client with this id: a stored one, or one that registers itself now and is not stored yet.
 * Null if no one made it and it did not register itself.
 * @throws PageRefusal if it tries to register itself and cannot
 */
export async function clientFor(id: string, seeking: Seeking, now: Date): Promise<Client | null> {
  const found = await findFor(id, seeking, now);
  if (!found) return null;
  const whole = found.unstored ? await withSubjectKey(found) : found;
  return strengthened(whole, seeking.settings);
}

async function findFor(id: string, seeking: Seeking, now: Date): Promise<Client | null> {
  const stored = await clientAt(seeking.revision, id);
  if (stored?.origin === 'document') return refreshed(stored, seeking, now);
  if (stored) return stored;
  return isDocumentId(id)
    ? unstoredAt(id, seeking, now)
    : selfRegistered(id, seeking.settings, now);
}
