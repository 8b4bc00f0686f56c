import { acrValues, isMultiFactor } from './acr.ts';
import type { Client } from './client.ts';
import { OAuthRefusal } from './errors.ts';
import type { Facts } from './facts.ts';
import { addSeconds } from './token-request.ts';

/** A client's requirements for a sign-in; the server's own are in `lib/people/second-factor.ts`. */
export type SignInRules = Pick<Client, 'requireSecondFactor' | 'maxSignInAge' | 'signInLife'>;

export function hasRules(rules: SignInRules & Pick<Client, 'networks'>): boolean {
  return rules.maxSignInAge !== null || rules.networks.length > 0 || judgesTokens(rules);
}

export type SignIn = { authTime: Date; amr: string };

/** The time of a sign-in of which nobody said when it was: as old as can be. */
export const unknownTime = new Date(0);

export const isKnownTime = (at: Date): boolean => at > unknownTime;

export type Lack = 'second-factor' | 'too-old' | 'over';

/** What a sign-in lacks for this client to get a code with it now; null: nothing. */
export function lackOf(rules: SignInRules, signIn: SignIn, now: Date): Lack | null {
  const age = now.getTime() - signIn.authTime.getTime();
  return age > (rules.maxSignInAge ?? Number.POSITIVE_INFINITY) * 1000
    ? 'too-old'
    : lackOfTokens(rules, signIn, now);
}

/**
 * The same for what was given earlier. Its sign-in may grow old without a new one being needed,
 * until the sign-in's lifetime is over, or a second factor is required that it did not have.
 */
function lackOfTokens(rules: SignInRules, signIn: SignIn, now: Date): Lack | null {
  if (rules.requireSecondFactor && !isMultiFactor(signIn.amr)) return 'second-factor';
  const end = signInEnd(rules, signIn);
  return end !== null && end <= now ? 'over' : null;
}

/** Where a browser is, relative to a client's networks. */
export type Place = 'inside' | 'outside' | 'unknown';

/**
 * Why no one may sign in to a client from here; null: they may. If a client has networks, visitors
 * without a known address are kept out, too.
 * @param address as far as it is known, for the trace
 */
export function refusalOfPlace(
  { networks }: Pick<Client, 'networks'>,
  place: Place,
  address: string | null,
): OAuthRefusal | null {
  if (place === 'inside') return null;
  const facts = {
    rule: 'access.network',
    received: place === 'unknown' ? 'no known address' : (address ?? ''),
    expected: networks,
  } as const;
  const reason = 'People can sign in to this app from certain networks only.';
  return new OAuthRefusal('access_denied', reason, {}, facts);
}

/** When everything that a sign-in gave this client ends; null: only the tokens' lifetimes count. */
export function signInEnd({ signInLife }: SignInRules, { authTime }: SignIn): Date | null {
  return signInLife === null ? null : addSeconds(authTime, signInLife);
}

/** Whether this client's tokens are judged by the sign-in behind them. */
export function judgesTokens({ requireSecondFactor, signInLife }: SignInRules): boolean {
  return requireSecondFactor || signInLife !== null;
}

/**
 * What a client gets with a sign-in, where no page can ask for another one: `kept` is what the
 * sign-in gave it before (a code, a refresh token); `anew` is the first that it gets with this
 * sign-in (an exchange, an assertion), so that the sign-in may not be too old either.
 */
export type Getting = 'kept' | 'anew';

/**
 * Judges a sign-in by the client's present requirements, so that a new rule applies immediately to
 * what was given before. Null: the sign-in is good enough.
 * @param demanded this server requires a second factor of the user, whatever the client requires
 */
export function refusalOfSignIn(
  rules: SignInRules,
  { demanded, ...signIn }: SignIn & { demanded: boolean },
  getting: Getting,
  now: Date,
): OAuthRefusal | null {
  const all = { ...rules, requireSecondFactor: rules.requireSecondFactor || demanded };
  const lack = (getting === 'anew' ? lackOf : lackOfTokens)(all, signIn, now);
  if (lack === null) return null;
  const code = getting === 'anew' ? 'insufficient_user_authentication' : 'invalid_grant';
  const { reason, facts, members } = told[lack](rules, signIn);
  return new OAuthRefusal(code, reason, getting === 'anew' ? { members } : {}, facts);
}

/** What is said about each lack, and what a sign-in must have instead (RFC 9470 section 3). */
const told = {
  'second-factor': ({ requireSecondFactor }: SignInRules, { amr }: SignIn) => ({
    reason: requireSecondFactor
      ? 'The app requires two factors, but the user signed in with one.'
      : 'This server requires two factors of the user, who signed in with one.',
    facts: { rule: 'second-factor-required', received: amr },
    members: { acr_values: acrValues.mfa },
  }),
  'too-old': ({ maxSignInAge }: SignInRules, signIn: SignIn) => ({
    reason: 'The app requires a sign-in that is more recent.',
    facts: { rule: 'sign-in-too-old', ...timesOf(signIn, maxSignInAge) },
    members: { max_age: maxSignInAge ?? 0 },
  }),
  over: ({ signInLife }: SignInRules, signIn: SignIn) => ({
    reason: 'The access that this sign-in gave the app has ended.',
    facts: { rule: 'sign-in-over', ...timesOf(signIn, signInLife) },
    members: { max_age: signInLife ?? 0 },
  }),
} as const satisfies Record<Lack, (rules: SignInRules, signIn: SignIn) => Told>;

type Told = { reason: string; facts: Facts; members: Record<string, string | number> };

const timesOf = ({ authTime }: SignIn, most: number | null) => ({
  received: isKnownTime(authTime)
    ? `a sign-in of ${authTime.toISOString()}`
    : 'a sign-in without auth_time',
  expected: [`a sign-in of the last ${most} s`],
});
