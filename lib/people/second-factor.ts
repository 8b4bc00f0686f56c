import { isMultiFactor } from '../oauth/acr.ts';
import { holdsRole, type Role } from './roles.ts';

/** What of somebody decides whether a second factor is asked of them. */
type Asked = {
  role: Role;
  /** An admin asks it of this person, whatever the rule of the server. */
  requireSecondFactor: boolean;
};

/** Who is asked for more than one factor. Every role of the dashboard counts as `admins`. */
export type SecondFactorRule = 'off' | 'admins' | 'everyone';

/** Whether this person may not sign in with a password alone, whatever they have chosen themselves. */
export function isFactorDemanded(rule: SecondFactorRule, user: Asked): boolean {
  if (user.requireSecondFactor || rule === 'everyone') return true;
  return rule === 'admins' && holdsRole(user);
}

/** Whether a sign-in by these methods counts for this person. One from before the rule was made may not. */
export function isSignInEnough(rule: SecondFactorRule, user: Asked, amr: string): boolean {
  return isMultiFactor(amr) || !isFactorDemanded(rule, user);
}
