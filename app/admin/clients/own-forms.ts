import type { ClientField } from '#lib/oauth/client.ts';

/** Forms of their own, and the fields they have controls for; the long form has all others. */
export const ownForms = {
  access: ['access'],
  rules: ['requireSecondFactor', 'maxSignInAge', 'signInLife', 'networks'],
  claims: ['claimShape', 'groupsClaim', 'groupsPrefix', 'groupNames', 'constantClaims'],
} as const satisfies Record<string, readonly ClientField[]>;
export const inOwnForms: readonly ClientField[] = Object.values(ownForms).flat();
