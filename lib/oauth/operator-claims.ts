import type { ClientSettings } from './client.ts';
import { constantsOf } from './constant-claims.ts';
import { isReservedClaim } from './reserved-claims.ts';

/** What only some clients hear about a user, and what is read for them alone. */
export type FurtherFacts = {
  /** The names of the groups they are in. */
  groups: readonly string[];
  /** Fields of this server's own, each with the scope that it is told with. */
  fields: readonly { name: string; scope: string; value: unknown }[];
  registeredAt: Date;
};

/** What an admin decided about the claims of a client. */
export type ClaimRules = Pick<
  ClientSettings,
  'claimShape' | 'groupsClaim' | 'groupsPrefix' | 'groupNames' | 'constantClaims'
>;

/** What a client was granted: scopes, and single claims of the `claims` parameter. */
export type Granted = { scopes: readonly string[]; asked: readonly string[] };
export type Claims = Record<string, unknown>;

export function grantedIn(scope: string, asked: readonly string[] = []): Granted {
  return { scopes: scope.split(' '), asked };
}

export const tellsGroups = ({ scopes, asked }: Granted) =>
  scopes.includes('groups') || asked.includes('groups');

/** Whether the fields of these scopes, the groups or the client's shape make us read further. */
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
 * The groups of a user as a client is told them: those with its prefix, under the names that it
 * gives them, sorted, each once.
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

/** The groups under the name of claim that this client has for them; `[]` for somebody in none. */
export function groupClaim(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): Claims {
  if (!tellsGroups(granted)) return {};
  return { [rules.groupsClaim]: toldGroups(facts?.groups ?? [], rules) };
}

/** The claims that hold what was decided for one client alone: their names are its own. */
export const namesOfClient = ({
  groupsClaim,
  constantClaims,
}: Pick<ClaimRules, 'groupsClaim' | 'constantClaims'>): string[] => [
  groupsClaim,
  ...Object.keys(constantClaims),
];

/**
 * The own fields that these scopes open. The names of the app's groups claim and of its constants are
 * its own, whatever was granted: people may fill in a field, and would give themselves groups.
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

/** All of them. What is decided for the one app goes before a field that happens to have its name. */
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
