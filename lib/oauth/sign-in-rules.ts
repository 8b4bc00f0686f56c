import { isMultiFactor } from './acr.ts';
import type { Client } from './client.ts';
import { OAuthRefusal } from './errors.ts';
import { addSeconds } from './token-request.ts';

/** A client's requirements for a sign-in; the server's own are in `lib/people/second-factor.ts`. */
export type SignInRules = Pick<Client, 'requireSecondFactor' | 'maxSignInAge' | 'signInLife'>;

/** Whether a client has any requirements. */
export function hasRules(rules: SignInRules & Pick<Client, 'networks'>): boolean {
  return rules.maxSignInAge !== null || rules.networks.length > 0 || judgesTokens(rules);
}

/** When and how a user signed in. */
export type SignIn = { authTime: Date; amr: string };

/** Why a sign-in is not enough. */
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
 * Judges the sign-in behind a code or a refresh token by the client's present requirements, so that
 * a new rule applies immediately to what was given before. Null: the sign-in is good enough.
 */
export function refusalOfSignIn(
  rules: SignInRules,
  signIn: SignIn,
  now: Date,
): OAuthRefusal | null {
  const lack = lackOfTokens(rules, signIn, now);
  if (lack === 'second-factor') {
    const reason = 'The app requires two factors, but the user signed in with one.';
    const facts = { rule: 'second-factor-required', received: signIn.amr } as const;
    return new OAuthRefusal('invalid_grant', reason, {}, facts);
  }
  if (lack !== 'over') return null;
  const facts = {
    rule: 'sign-in-over',
    received: `a sign-in of ${signIn.authTime.toISOString()}`,
    expected: [`a sign-in of the last ${rules.signInLife} s`],
  } as const;
  return new OAuthRefusal(
    'invalid_grant',
    'The access that this sign-in gave the app has ended.',
    {},
    facts,
  );
}
