import type { Client } from './client.ts';
import { OAuthRefusal } from './errors.ts';

/** Who may use an app: everybody, or the members of these groups and these people. */
export type AccessRule = Pick<Client, 'access'> & {
  /** Ids. */
  groups: readonly string[];
  people: readonly string[];
};

/** Somebody, and the ids of the groups they are in at this moment. */
export type Member = { id: string; groups: readonly string[] };

/**
 * Whether somebody may use an app. One way in is enough; an empty list lets nobody in. The store
 * asks the same of its rows in one statement (`lib/store/access.ts`).
 */
export function mayUse(rule: AccessRule, person: Member): boolean {
  if (rule.access === 'everybody') return true;
  return rule.people.includes(person.id) || rule.groups.some((id) => person.groups.includes(id));
}

/** Whether an app's users are listed. Of all others nothing is looked up. */
export const isListed = ({ access }: Pick<Client, 'access'>) => access === 'listed';

/** The name of the rule, for traces and audit. */
export const rule = 'access.not-listed';

/**
 * Somebody may not use the app: `access_denied` in an authorization response (RFC 6749 section
 * 4.1.2.1), `invalid_grant` at the token endpoint (section 5.2).
 */
export function noAccess(code: 'access_denied' | 'invalid_grant'): OAuthRefusal {
  const facts = {
    rule,
    received: 'a user who is not listed, and in no listed group',
    expected: ['a user or a group that the app lists'],
  } as const;
  return new OAuthRefusal(code, 'This user may not use this app.', {}, facts);
}
