import { once } from '../once.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import { RevisionCache, raising } from './engine/revision.ts';

export type SigningAlg = 'RS256' | 'ES256';
export const signingAlgs: readonly SigningAlg[] = ['RS256', 'ES256'];

export type KeyRow = { alg: SigningAlg } & Columns<
  'signing_keys',
  /** A JSON Web Key, public members only. */
  'publicJwk' | 'sealedPrivate' | 'kid' | 'generation' | 'createdAt' | 'retiredAt'
>;

const cache = () => once('cache.keys', () => new RevisionCache<KeyRow[]>(1));

/** All keys as of a revision, newest first. */
export function keysAt(revision: number): Promise<KeyRow[]> {
  return cache().get('all', revision, listKeys);
}

/** All keys, newest first. */
export function listKeys(): Promise<KeyRow[]> {
  const sql = `SELECT kid, alg, generation, public_jwk, sealed_private, created_at, retired_at
    FROM signing_keys ORDER BY generation DESC`;
  return read<KeyRow>(sql, {});
}

const insertKey = `
  INSERT INTO signing_keys (kid, alg, generation, public_jwk, sealed_private, created_at) VALUES (:kid, :alg, :generation, :publicJwk, :sealedPrivate, :createdAt)
  ON CONFLICT DO NOTHING RETURNING kid`;

/**
 * Stores a key and retires the others of its algorithm; false if another process stored this
 * generation first.
 */
export async function storeKey(key: Omit<KeyRow, 'retiredAt'>): Promise<boolean> {
  const retire = `UPDATE signing_keys SET retired_at = :createdAt
    WHERE alg = :alg AND generation < :generation AND retired_at IS NULL`;
  const then = [{ sql: retire, params: key }, raising()];
  return (await writeTogether({ sql: insertKey, params: key }, then)).length > 0;
}

/** Stores the private half after it was sealed again. */
export async function resealKey(kid: string, sealedPrivate: string): Promise<void> {
  await write('UPDATE signing_keys SET sealed_private = :sealedPrivate WHERE kid = :kid', {
    kid,
    sealedPrivate,
  });
}

/** Deletes a key, effective in every process for the next request. False if it doesn't exist. */
export async function deleteKey(kid: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM signing_keys WHERE kid = :kid RETURNING kid';
  const then = [raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: { kid } }, then)).length > 0;
}

/** Deletes keys that were retired before a moment. */
export async function deleteRetiredKeys(before: Date): Promise<void> {
  const sql = 'DELETE FROM signing_keys WHERE retired_at < :before RETURNING kid';
  await writeTogether({ sql, params: { before } }, [raising()]);
}
