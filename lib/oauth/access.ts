import type { Client } from './client.ts';
import { OAuthRefusal } from './errors.ts';

/** Whether an app is open to listed users only. For all other apps nothing is looked up. */
export const admitsOnlyListed = ({ access }: Pick<Client, 'access'>) => access === 'listed';

/** The name of the rule, for traces and audit. */
export const notListedRule = 'access.not-listed';

/**
 * The refusal for a user who may not use the app, as sent in an authorization response (RFC 6749
 * section 4.1.2.1).
 */
export function noAccess(): OAuthRefusal {
  const facts = {
    rule: notListedRule,
    received: 'a user who is not listed, and in no listed group',
    expected: ['a user or a group that the app lists'],
  } as const;
  return new OAuthRefusal('access_denied', 'This user may not use this app.', {}, facts);
}
