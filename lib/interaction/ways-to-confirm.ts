import { passkeysPossible } from '../identity/passkeys.ts';
import { findDirectoryLink } from '../store/directories.ts';
import { type Factors, hasFactor, readFactors } from '../store/factors.ts';
import { findUser } from '../store/users.ts';

/** A second factor of somebody: their authenticator app, or a passkey (`id`: this one). */
type OneFactor = { kind: 'totp' } | { kind: 'passkey'; id?: string };

/**
 * What a form wants to see before it is done: that the sign-in is fresh, that it is confirmed in
 * this very form, or that this is done by one factor or a recovery code.
 */
export type Wanted = 'fresh' | 'confirmed' | OneFactor;

/** What can be asked of an account on the page itself. */
export type WaysToConfirm = { password: boolean; code: boolean; passkey: boolean };

/** How this user can confirm a sign-in without leaving the page. */
export async function waysToConfirm(
  userId: string,
  wanted: Wanted = 'fresh',
): Promise<WaysToConfirm> {
  const user = await findUser(userId);
  const factors = await readFactors(userId);
  const isHere = user !== null && user.passwordHash !== null;
  const hasPassword = isHere || (await findDirectoryLink(userId)) !== null;
  const codes = hasFactor(factors) && hasCodes(factors, wanted);
  return {
    // A password alone is not enough where only a passkey stands behind it.
    password: hasPassword && (!hasFactor(factors) || codes),
    code: hasPassword && codes,
    passkey: factors.passkeysHere > 0 && passkeysPossible() && mayUsePasskey(wanted),
  };
}

/** Whether there is a way at all: somebody without password and factor has a fresh sign-in alone. */
export function isThereAWay({ password, passkey }: WaysToConfirm): boolean {
  return password || passkey;
}

function hasCodes({ totp, recoveryCodes }: Factors, wanted: Wanted): boolean {
  return recoveryCodes > 0 || (totp && mayUseApp(wanted));
}

/** Whether a code of the authenticator app shows what is wanted. */
export function mayUseApp(wanted: Wanted): boolean {
  return typeof wanted === 'string' || wanted.kind === 'totp';
}

/** Whether a passkey may, and this one does. */
export function mayUsePasskey(wanted: Wanted, id?: string): boolean {
  if (typeof wanted === 'string') return true;
  return wanted.kind === 'passkey' && (id === undefined || wanted.id === id);
}
