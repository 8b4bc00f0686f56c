import type { Client } from '../oauth/client.ts';
import { type AuditEntry, auditing } from './audit.ts';
import { addressStatements, insertingClient, secretStatements } from './client-changes.ts';
import { type Statement, writeTogether } from './database.ts';
import { raising } from './revision.ts';

const insertIntroduction = `
  INSERT INTO client_introductions (client_id, host, document_hash, etag, fetched_at, stale_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Stores a client that introduced itself, with all that belongs to it, unless somebody was first.
 * @throws Error for a client that is stored already, or that nobody vouches for
 */
export async function storeNewcomer(client: Client, event: AuditEntry, now: Date): Promise<void> {
  const { id, origin } = client;
  await writeTogether(insertingClient(id, client, origin, now), [
    ...addressStatements(id, client),
    ...client.secretHashes.flatMap((hash) => secretStatements(id, hash, now)),
    introducing(client, now),
    raising(),
    auditing(event, now),
  ]);
}

function introducing({ id, host, newcomer }: Client, now: Date): Statement {
  if (!newcomer || host === null) throw new Error('Only a newcomer is stored by its introduction.');
  const { documentHash, etag, fetchedAt, staleAt } = newcomer;
  const params = [id, host, documentHash, etag, fetchedAt, staleAt, now];
  return { sql: insertIntroduction, params };
}
