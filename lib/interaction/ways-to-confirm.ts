import { passkeysPossible } from '../identity/passkeys.ts';
import { findDirectoryLink } from '../store/directories.ts';
import { type Factors, hasFactor, readFactors } from '../store/factors.ts';
import { findUser } from '../store/users.ts';

/**
 * One second factor of a user: their authenticator app, or a passkey (`id`: this particular one).
 */
type OneFactor = { kind: 'totp' } | { kind: 'passkey'; id?: string };

/** A fresh sign-in, a confirmation in this form, or one by this factor or a recovery code. */
export type Wanted = 'fresh' | 'confirmed' | OneFactor;

export type WaysToConfirm = { password: boolean; code: boolean; passkey: boolean };

/** The ways in which this user can confirm their sign-in without leaving the page. */
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
    // A password alone is not enough if the user's only second factor is a passkey.
    password: hasPassword && (!hasFactor(factors) || codes),
    code: hasPassword && codes,
    passkey: factors.passkeysHere > 0 && passkeysPossible() && mayUsePasskey(wanted),
  };
}

/** A user with neither password nor passkey can only have a fresh sign-in. */
export function isThereAWay({ password, passkey }: WaysToConfirm): boolean {
  return password || passkey;
}

function hasCodes({ totp, recoveryCodes }: Factors, wanted: Wanted): boolean {
  return recoveryCodes > 0 || (totp && mayUseApp(wanted));
}

/** Whether a code of the authenticator app is enough. */
export function mayUseApp(wanted: Wanted): boolean {
  return typeof wanted === 'string' || wanted.kind === 'totp';
}

/** Whether a passkey is enough, and this particular one if `id` names it. */
export function mayUsePasskey(wanted: Wanted, id?: string): boolean {
  if (typeof wanted === 'string') return true;
  return wanted.kind === 'passkey' && (id === undefined || wanted.id === id);
}
