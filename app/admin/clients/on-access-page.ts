import type { ClientField } from '#lib/oauth/client.ts';

/** The fields on an app's Access page; the form of its settings has all others. */
export const onAccessPage: readonly ClientField[] = [
  'access',
  ...(['requireSecondFactor', 'maxSignInAge', 'signInLife', 'networks'] as const),
  ...(['claimShape', 'groupsClaim', 'groupsPrefix', 'groupNames', 'constantClaims'] as const),
];
