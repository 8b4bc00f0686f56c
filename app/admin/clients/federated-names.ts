import type { FederatedCredential } from '#lib/oauth/client.ts';

/** The name of the field in the record. In the form, this field holds the number of rules. */
export const federatedName = 'federatedCredentials';

/** The name of the control for one part of one rule. */
export const federatedField = (index: number, part: keyof FederatedCredential): string =>
  `${federatedName}-${index}-${part}`;
