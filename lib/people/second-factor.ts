import { isMultiFactor } from '../oauth/acr.ts';
import { holdsRole, type Role } from './roles.ts';

/** The facts about a person that decide whether they need a second factor. */
type Asked = {
  role: Role;
  /** An admin requires one of this person, whatever the server's rule says. */
  requireSecondFactor: boolean;
};

/** Who needs more than one factor. Every role of the dashboard counts as `admins`. */
export type SecondFactorRule = 'off' | 'admins' | 'everyone';

type FactorSettings = {
  requireSecondFactor: SecondFactorRule;
  /** Days for which a device is remembered; 0: devices are not remembered. */
  rememberDevice: number;
  rememberDeviceOfAdmins: 'on' | 'off';
};

/**
 * For how many days a remembered device may replace this person's second factor; 0: it may not. It
 * is not a factor itself, so it never replaces one that is demanded.
 */
export function rememberedDays(settings: FactorSettings, user: Asked): number {
  const { requireSecondFactor, rememberDevice, rememberDeviceOfAdmins } = settings;
  if (isFactorDemanded(requireSecondFactor, user)) return 0;
  return holdsRole(user) && rememberDeviceOfAdmins === 'off' ? 0 : rememberDevice;
}

/** Whether this person may not sign in with a password alone, whatever they chose themselves. */
export function isFactorDemanded(rule: SecondFactorRule, user: Asked): boolean {
  if (user.requireSecondFactor || rule === 'everyone') return true;
  return rule === 'admins' && holdsRole(user);
}

/** Whether a sign-in with these methods is enough. One made before the rule might not be. */
export function isSignInEnough(rule: SecondFactorRule, user: Asked, amr: string): boolean {
  return isMultiFactor(amr) || !isFactorDemanded(rule, user);
}
