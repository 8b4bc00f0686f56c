import { randomBytes } from 'node:crypto';
import { config } from '../config.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, laterThan, read, writeTogether } from './engine/database.ts';

/** What is served for an uploaded picture. */
export type StoredPicture = Columns<'user_pictures', 'type' | 'bytes'>;

/**
 * Stores a person's picture in place of the old one, under an address that reveals nothing about
 * either: someone who has the same picture cannot find out whose it is. False: there is no such
 * person.
 */
export async function storePicture(
  userId: string,
  picture: StoredPicture,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const hash = randomBytes(16).toString('base64url');
  const named = {
    sql: `UPDATE users SET picture = :hash, updated_at = ${laterThan('updated_at', ':now')} WHERE id = :userId RETURNING id`,
    params: { userId, hash, now },
  };
  const stored = {
    sql: `INSERT INTO user_pictures (user_id, hash, type, bytes) VALUES (:userId, :hash, :type, :bytes)
      ON CONFLICT (user_id) DO UPDATE SET hash = :hash, type = :type, bytes = :bytes`,
    params: { userId, hash, type: picture.type, bytes: picture.bytes },
  };
  return (await writeTogether(named, [stored, auditing(event, now)])).length > 0;
}

/** Removes a person's picture. False: they have none. */
export async function removePicture(
  userId: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const unnamed = {
    sql: `UPDATE users SET picture = NULL, updated_at = ${laterThan('updated_at', ':now')}
      WHERE id = :userId AND picture IS NOT NULL RETURNING id`,
    params: { userId, now },
  };
  const gone = { sql: 'DELETE FROM user_pictures WHERE user_id = :userId', params: { userId } };
  return (await writeTogether(unnamed, [gone, auditing(event, now)])).length > 0;
}

/** The picture with this hash, if a user still has it. */
export async function findPicture(hash: string): Promise<StoredPicture | null> {
  const [row] = await read<StoredPicture>(
    'SELECT type, bytes FROM user_pictures WHERE hash = :hash',
    { hash },
  );
  return row ?? null;
}

/** Where a person's picture is served on our own pages; null if they have none. */
export function picturePath(hash: string | null): string | null {
  return hash ? `/pictures/${hash}` : null;
}

/** The same as a full address, for the `picture` claim. */
export function pictureUrl(hash: string | null): string | null {
  const path = picturePath(hash);
  return path && config().issuer + path;
}
