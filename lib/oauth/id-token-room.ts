import { constantsOf } from './constant-claims.ts';
import {
  type ClaimRules,
  type Claims,
  type FurtherFacts,
  fieldClaims,
  type Granted,
  groupClaim,
} from './operator-claims.ts';

/*
 * Apps keep ID tokens in cookies, proxies send them in headers of 8 KB, and they return to us as
 * `id_token_hint` in addresses. The operator's own claims are limited to a size at which all of
 * this still works. Claims that do not fit are left out entirely, because half of a user's groups
 * would look like all of them. User information and introspection return everything.
 */

/** In bytes of JSON. */
export const ownRoom = 4000;
export const mostGroupsInToken = 100;

/** Their standard claims are only in user information; so are custom fields with them. */
const notInIdTokens = ['address', 'phone'];

export type OwnInIdToken = {
  claims: Claims;
  leftOut: ('groups' | 'fields')[];
};

/** The operator's own claims for an ID token. Groups have priority over fields. */
export function ownInIdToken(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): OwnInIdToken {
  const constants = constantsOf(rules.constantClaims);
  const groups = groupClaim(rules, facts, granted);
  const scopes = granted.scopes.filter((scope) => !notInIdTokens.includes(scope));
  const fields = fieldClaims(rules, facts, scopes);
  const few = Object.values(groups).every(
    (names) => (names as string[]).length <= mostGroupsInToken,
  );
  const withGroups = few && fits(constants, groups);
  const told = withGroups ? { ...constants, ...groups } : constants;
  const withFields = fits(told, fields);
  return {
    claims: withFields ? { ...fields, ...told } : told,
    leftOut: [
      ...(withGroups ? [] : ['groups' as const]),
      ...(withFields ? [] : ['fields' as const]),
    ],
  };
}

const fits = (one: Claims, other: Claims) =>
  Buffer.byteLength(JSON.stringify({ ...one, ...other })) <= ownRoom;
