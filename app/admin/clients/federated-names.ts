import type { FederatedCredential } from '#lib/oauth/federated-credential.ts';

/** The field of the record; in the form it says how many rules there may be. */
export const federatedName = 'federatedCredentials';

/** The control of one part of one rule. */
export const federatedField = (index: number, part: keyof FederatedCredential): string =>
  `${federatedName}-${index}-${part}`;
