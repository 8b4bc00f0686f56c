import type { ClientSettings } from './client.ts';
import { constantsOf } from './constant-claims.ts';
import { isReservedClaim } from './reserved-claims.ts';

/** Facts about a user that only some clients are told, and that are only read for them. */
export type FurtherFacts = {
  groups: readonly string[];
  /** Custom fields, each with the scope that opens it. */
  fields: readonly { name: string; scope: string; value: unknown }[];
  registeredAt: Date;
};

export type ClaimRules = Pick<
  ClientSettings,
  'claimShape' | 'groupsClaim' | 'groupsPrefix' | 'groupNames' | 'constantClaims'
>;

/** What a client was granted: scopes, and single claims requested through `claims`. */
export type Granted = { scopes: readonly string[]; asked: readonly string[] };
export type Claims = Record<string, unknown>;

export function grantedIn(scope: string, asked: readonly string[] = []): Granted {
  return { scopes: scope.split(' '), asked };
}

export const tellsGroups = ({ scopes, asked }: Granted) =>
  scopes.includes('groups') || asked.includes('groups');

/** Whether further facts must be read, for the fields of these scopes, the groups or the shape. */
export function needsFurtherFacts(
  granted: Granted,
  fieldScopes: ReadonlySet<string>,
  shape: ClaimRules['claimShape'] = 'standard',
): boolean {
  const { scopes } = granted;
  return (
    shape !== 'standard' || tellsGroups(granted) || scopes.some((scope) => fieldScopes.has(scope))
  );
}

/**
 * A user's groups as a client is told them: those with the client's prefix, under the client's
 * names for them, sorted and without duplicates.
 */
export function toldGroups(
  groups: readonly string[],
  { groupsPrefix, groupNames }: Pick<ClaimRules, 'groupsPrefix' | 'groupNames'>,
): string[] {
  const told = groups
    .filter((name) => name.startsWith(groupsPrefix ?? ''))
    .map((name) => (Object.hasOwn(groupNames, name) ? (groupNames[name] ?? name) : name));
  return [...new Set(told)].sort();
}

/** The groups, under the claim name that this client uses for them; `[]` for a user in no group. */
export function groupClaim(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): Claims {
  if (!tellsGroups(granted)) return {};
  return { [rules.groupsClaim]: toldGroups(facts?.groups ?? [], rules) };
}

export const namesOfClient = ({
  groupsClaim,
  constantClaims,
}: Pick<ClaimRules, 'groupsClaim' | 'constantClaims'>): string[] => [
  groupsClaim,
  ...Object.keys(constantClaims),
];

/**
 * The custom fields that these scopes open. Names that the client uses for its groups claim and its
 * constants are left out, whatever was granted: people may fill in fields, and could give
 * themselves groups.
 */
export function fieldClaims(
  rules: Pick<ClaimRules, 'groupsClaim' | 'constantClaims'>,
  facts: FurtherFacts | null,
  scopes: readonly string[],
): Claims {
  const taken = namesOfClient(rules);
  const told = (facts?.fields ?? []).filter(
    ({ name, scope }) => scopes.includes(scope) && !isReservedClaim(name) && !taken.includes(name),
  );
  return Object.fromEntries(told.map(({ name, value }) => [name, value]));
}

/** All of them. Claims set for this one app have priority over a custom field of the same name. */
export function operatorClaims(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): Claims {
  return {
    ...fieldClaims(rules, facts, granted.scopes),
    ...constantsOf(rules.constantClaims),
    ...groupClaim(rules, facts, granted),
  };
}
