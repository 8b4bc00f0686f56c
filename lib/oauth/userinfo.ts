import { shapeClaims } from './claim-shapes.ts';
import { claimsByScope, type StoredClaims, storedClaims } from './claims.ts';
import type { InfoUser } from './info-user.ts';
import {
  type ClaimRules,
  type FurtherFacts,
  type Granted,
  groupClaim,
  operatorClaims,
} from './operator-claims.ts';
import { type Subjective, subjectOf } from './subject.ts';

/**
 * The response of `/oauth/me`: always identity and email, more by scope or by the `claims`
 * parameter (OpenID Connect Core sections 5.3 to 5.5), and what the client's own rules add. None of
 * these additions replaces a standard claim. Empty claims are left out.
 */
export function userInformation(
  user: InfoUser,
  rules: ClaimRules & Subjective,
  facts: FurtherFacts | null,
  granted: Granted,
): Record<string, unknown> {
  const names = new Set<string>(granted.asked);
  for (const name of granted.scopes) {
    for (const claim of claimsByScope[name as keyof typeof claimsByScope] ?? []) names.add(claim);
  }
  const sub = subjectOf(rules, user.id);
  // With pairwise subjects, the user name and email would identify people across sectors, so they
  // are only given by scope.
  const always =
    rules.subjectType === 'pairwise'
      ? { sub }
      : { sub, username: user.username, email: user.email };
  const standard = claimsOf(user, names);
  return {
    ...always,
    ...operatorClaims(rules, facts, granted),
    ...shapeClaims(rules.claimShape, user, standard.name, facts),
    ...standard,
    ...always,
  };
}

/**
 * Whether a user's token opens the user information. One for an API does so only with scope
 * `openid`: otherwise every API that received such a token could read it.
 */
export const opensUserInformation = (scope: string, audience: readonly string[]): boolean =>
  audience.length === 0 || scope.split(' ').includes('openid');

/** What a token of an app is, or was, for. */
export type HeldToken = {
  scope: string;
  audience: readonly string[];
  asked: readonly string[];
  live: boolean;
};

type Shown = { user: InfoUser; rules: ClaimRules & Subjective; facts: FurtherFacts | null };

/**
 * What an app sees of a user with the tokens it holds. An app whose tokens are all for APIs is told
 * no more than what introspection tells (RFC 7662).
 * @param tokens those it holds, or else those it had, which only tell whether it asks for APIs alone
 * @param granted what it sees without a live token, as at the next sign-in
 */
export function seenWith(
  tokens: readonly HeldToken[],
  { user, rules, facts }: Shown,
  granted: Granted,
): Record<string, unknown> {
  const opening = tokens.filter(({ scope, audience }) => opensUserInformation(scope, audience));
  const isLive = tokens.some(({ live }) => live);
  if (tokens.length > 0 && opening.length === 0)
    return {
      ...groupClaim(rules, facts, isLive ? { scopes: scopesOf(tokens), asked: [] } : granted),
      sub: subjectOf(rules, user.id),
      ...(rules.subjectType !== 'pairwise' && { username: user.username }),
    };
  const asked = opening.flatMap((token) => token.asked);
  const seen = isLive ? { scopes: scopesOf(opening), asked } : granted;
  return userInformation(user, rules, facts, seen);
}

const scopesOf = (tokens: readonly HeldToken[]) => [
  ...new Set(tokens.flatMap(({ scope }) => scope.split(' '))),
];

export function claimsOf(user: InfoUser, names: ReadonlySet<string>): Record<string, unknown> {
  if (names.size === 0) return {};
  const stored = readStored(user.claims);
  const all: Record<string, unknown> = {
    ...stored,
    // An unverified phone number is marked as such, like an email address.
    phone_number_verified:
      stored.phone_number === undefined ? undefined : (stored.phone_number_verified ?? false),
    name: user.name ?? undefined,
    preferred_username: user.username,
    picture: user.picture ?? undefined,
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
    email: user.email,
    email_verified: user.emailVerified,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => names.has(name) && value !== undefined),
  );
}

function readStored(text: string): StoredClaims {
  const parsed = storedClaims.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : {};
}
