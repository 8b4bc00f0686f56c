import { once } from '../once.ts';
import { type AuditEntry, auditing } from './audit.ts';
import { type Columns, read, write, writeTogether } from './engine/database.ts';
import { RevisionCache, raiseRevision, raising } from './engine/revision.ts';

export type SigningAlg = 'RS256' | 'ES256';
export const signingAlgs: readonly SigningAlg[] = ['RS256', 'ES256'];

/** A stored key. */
export type KeyRow = {
  kid: string;
  alg: SigningAlg;
  generation: number;
  /** JSON Web Key, public members only. */
  publicJwk: string;
  sealedPrivate: string;
  createdAt: Date;
  retiredAt: Date | null;
};

const cache = () => once('cache.keys', () => new RevisionCache<KeyRow[]>(1));

/** All keys as of a revision, newest first. */
export function keysAt(revision: number): Promise<KeyRow[]> {
  return cache().get('all', revision, listKeys);
}

/** All keys, newest first. */
export async function listKeys(): Promise<KeyRow[]> {
  const sql = `SELECT kid, alg, generation, public_jwk, sealed_private, created_at, retired_at
    FROM signing_keys ORDER BY generation DESC`;
  return (await read<Columns<'signing_keys'>>(sql, [])).map((row) => ({
    kid: row.kid,
    alg: row.alg as SigningAlg,
    generation: row.generation,
    publicJwk: row.publicJwk,
    sealedPrivate: row.sealedPrivate,
    createdAt: row.createdAt,
    retiredAt: row.retiredAt,
  }));
}

const insertKey = `
  INSERT INTO signing_keys (kid, alg, generation, public_jwk, sealed_private, created_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING RETURNING kid`;

/**
 * Stores a key and retires the others of its algorithm; false if another process stored this
 * generation first.
 */
export async function storeKey(key: Omit<KeyRow, 'retiredAt'>): Promise<boolean> {
  const { kid, alg, generation, publicJwk, sealedPrivate, createdAt } = key;
  const stored = await write(insertKey, [
    kid,
    alg,
    generation,
    publicJwk,
    sealedPrivate,
    createdAt,
  ]);
  if (stored.length === 0) return false;
  const retire =
    'UPDATE signing_keys SET retired_at = $3 WHERE alg = $1 AND generation < $2 AND retired_at IS NULL';
  await write(retire, [alg, generation, createdAt]);
  await raiseRevision();
  return true;
}

/** Stores the private half resealed. */
export async function resealKey(kid: string, sealedPrivate: string): Promise<void> {
  await write('UPDATE signing_keys SET sealed_private = $2 WHERE kid = $1', [kid, sealedPrivate]);
}

/** Deletes a key, effective in every process for the next request. False if it doesn't exist. */
export async function deleteKey(kid: string, event: AuditEntry, now: Date): Promise<boolean> {
  const sql = 'DELETE FROM signing_keys WHERE kid = $1 RETURNING kid';
  const then = [raising(), auditing(event, now)];
  return (await writeTogether({ sql, params: [kid] }, then)).length > 0;
}

/** Deletes keys that were retired before a moment. */
export async function deleteRetiredKeys(before: Date): Promise<void> {
  const deleted = await write('DELETE FROM signing_keys WHERE retired_at < $1 RETURNING kid', [
    before,
  ]);
  if (deleted.length > 0) await raiseRevision();
}
