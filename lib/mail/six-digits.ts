import { createHmac, randomBytes } from 'node:crypto';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { findUser, findUserByLogin, normalKey, type User } from '../store/users.ts';
import { basisDigest } from './links.ts';

/*
 * Six-digit codes sent by mail. They are not stored anywhere. Each is computed from a secret, which
 * travels sealed in the browser's cookie and in the queued letter, and from the state of the
 * account. It is computed again when the user types it (docs/decisions/0041-codes-by-mail.md).
 */

/**
 * What a code is for: it signs a user in (`sign-in`), proves in the middle of something else that
 * an account is theirs (`account`), or proves an address for a new account (`registration`) or an
 * existing one (`address`). A code for one purpose is worthless for another.
 */
export const codePurposes = ['sign-in', 'account', 'registration', 'address'] as const;
type CodePurpose = (typeof codePurposes)[number];

export type CodeClaim = {
  purpose: CodePurpose;
  /** The name or address of the account as typed, or the address to be proved. */
  to: string;
  /** The user who will have the address, if `purpose` is `address`. */
  userId?: string | undefined;
};

export const newCodeSecret = () => randomBytes(32).toString('base64url');

/**
 * The account a code is for, and its basis: the code is valid as long as that is unchanged. Null if
 * no code is sent: there is no such account (or, to register, there is one), it is disabled, or the
 * address belongs to another user.
 */
export async function codeSubjectOf({
  purpose,
  to,
  userId,
}: CodeClaim): Promise<{ user: User | null; basis: string } | null> {
  const holder = await findUserByLogin(to);
  if (purpose === 'registration')
    return holder ? null : { user: null, basis: basisOf(purpose, normalKey(to)) };
  const user = purpose === 'address' ? await findUser(userId ?? '') : holder;
  if (!user || user.disabled) return null;
  if (purpose !== 'address') return { user, basis: basisOf(purpose, user.id, basisDigest(user)) };
  return holder && holder.id !== user.id
    ? null
    : { user, basis: basisOf(purpose, user.id, basisDigest(user), normalKey(to)) };
}

const basisOf = (...parts: string[]) => JSON.stringify(parts);

export function codeOf(secret: string, basis: string): string {
  const bytes = createHmac('sha256', secret).update(basis).digest();
  return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/**
 * Whether these are the six digits. Takes as long if the basis is null, for which no code is right.
 */
export function isCode(typed: string, secret: string, basis: string | null): boolean {
  const isRight = sameDigest(digest(codeOf(secret, basis ?? '')), digest(typed));
  return isRight && basis !== null;
}
