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
 * Apps keep ID tokens in cookies, proxies send them in headers of 8 KB, and they come back to us as
 * `id_token_hint` in addresses. What an operator adds has so much room in them that all of this
 * still works. What does not fit is left out as a whole: half of somebody's groups would look like
 * all of them. User information and introspection have everything.
 */

/** In bytes of JSON. */
export const ownRoom = 4000;
export const mostGroups = 100;

/** Their standard claims stand in user information alone, so the fields beside them do, too. */
const notInIdTokens = ['address', 'phone'];

export type OwnInIdToken = {
  claims: Claims;
  /** What there was no room for. */
  leftOut: ('groups' | 'fields')[];
};

/** The claims of the operator’s own that stand in an ID token, groups before fields. */
export function ownInIdToken(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): OwnInIdToken {
  const constants = constantsOf(rules.constantClaims);
  const groups = groupClaim(rules, facts, granted);
  const scopes = granted.scopes.filter((scope) => !notInIdTokens.includes(scope));
  const fields = fieldClaims(rules, facts, scopes);
  const few = Object.values(groups).every((names) => (names as string[]).length <= mostGroups);
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
