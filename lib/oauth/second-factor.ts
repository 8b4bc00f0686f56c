import { isMultiFactor } from './acr.ts';

/** Whom the server asks for more than one factor. */
export type SecondFactorRule = 'off' | 'admins' | 'everyone';

/** Whether this person may not sign in with a password alone, whatever they have chosen themselves. */
export function isFactorDemanded(rule: SecondFactorRule, user: { isAdmin: boolean }): boolean {
  return rule === 'everyone' || (rule === 'admins' && user.isAdmin);
}

/** Whether a sign-in by these methods counts for this person. One from before the rule was made may not. */
export function isSignInEnough(
  rule: SecondFactorRule,
  user: { isAdmin: boolean },
  amr: string,
): boolean {
  return isMultiFactor(amr) || !isFactorDemanded(rule, user);
}
