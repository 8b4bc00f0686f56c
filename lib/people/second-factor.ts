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

/** The settings that say where a second factor is asked. */
type FactorSettings = {
  requireSecondFactor: SecondFactorRule;
  /** Days for which a device is remembered; 0: none is. */
  rememberDevice: number;
  rememberDeviceOfAdmins: 'on' | 'off';
};

/**
 * For how many days a device may stand in for the second factor of this person; 0: not at all. It is
 * no factor, so it never does where one is demanded.
 */
export function rememberedDays(settings: FactorSettings, user: Asked): number {
  const { requireSecondFactor, rememberDevice, rememberDeviceOfAdmins } = settings;
  if (isFactorDemanded(requireSecondFactor, user)) return 0;
  return holdsRole(user) && rememberDeviceOfAdmins === 'off' ? 0 : rememberDevice;
}

/** Whether this person may not sign in with a password alone, whatever they have chosen themselves. */
export function isFactorDemanded(rule: SecondFactorRule, user: Asked): boolean {
  if (user.requireSecondFactor || rule === 'everyone') return true;
  return rule === 'admins' && holdsRole(user);
}

/** Whether a sign-in by these methods counts for this person. One from before the rule was made may not. */
export function isSignInEnough(rule: SecondFactorRule, user: Asked, amr: string): boolean {
  return isMultiFactor(amr) || !isFactorDemanded(rule, user);
}
