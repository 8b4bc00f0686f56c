import { createHmac, randomBytes } from 'node:crypto';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { findUser, findUserByLogin, normalKey, type User } from '../store/users.ts';
import { basisDigest } from './links.ts';

/*
 * Six digits that go by mail. They are stored nowhere: they are computed from a secret, which travels
 * sealed in the browser's cookie and in the letter that waits, and from what the account is like. The
 * same is computed when they come back (docs/decisions/0041-codes-by-mail.md).
 */

/**
 * What a code is worth: it signs its person in, shows in the middle of something else that an account
 * is theirs, or proves an address for a new account or for one that there is. None counts as another.
 */
export const codePurposes = ['sign-in', 'account', 'registration', 'address'] as const;
type CodePurpose = (typeof codePurposes)[number];

/** What a code is to show. */
export type CodeClaim = {
  purpose: CodePurpose;
  /** The name or address of the account as it was typed, or the address that is to be proved. */
  to: string;
  /** Whose address it is to be, if `purpose` is `address`. */
  userId?: string | undefined;
};

/** A secret from which one code is made. */
export const newCodeSecret = () => randomBytes(32).toString('base64url');

/**
 * Whom a code goes to, and what it goes by: it counts as long as that is unchanged. Null where no code
 * is sent, since there is no such account, it is disabled, or the address is somebody else's.
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

/** The six digits of a secret for a basis. */
export function codeOf(secret: string, basis: string): string {
  const bytes = createHmac('sha256', secret).update(basis).digest();
  return String(bytes.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** Whether these are the six digits; takes as long for no basis, to which there are none. */
export function isCode(typed: string, secret: string, basis: string | null): boolean {
  const isRight = sameDigest(digest(codeOf(secret, basis ?? '')), digest(typed));
  return isRight && basis !== null;
}
