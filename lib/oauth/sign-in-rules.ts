import { isMultiFactor } from './acr.ts';
import type { Client } from './client.ts';
import { OAuthRefusal } from './errors.ts';
import { later } from './token-request.ts';

/** What a client demands of a sign-in; the server's own demands stand in `second-factor.ts`. */
export type SignInRules = Pick<Client, 'requireSecondFactor' | 'maxSignInAge' | 'signInLife'>;

/** Whether a client demands anything. */
export function hasRules(rules: SignInRules & Pick<Client, 'networks'>): boolean {
  return rules.maxSignInAge !== null || rules.networks.length > 0 || judgesTokens(rules);
}

/** When and how somebody signed in. */
export type SignIn = { authTime: Date; amr: string };

/** Why a sign-in does not do. */
export type Lack = 'second-factor' | 'too-old' | 'over';

/** What a sign-in lacks for this client to be given a code on it now; null: nothing. */
export function lackOf(rules: SignInRules, signIn: SignIn, now: Date): Lack | null {
  const age = now.getTime() - signIn.authTime.getTime();
  return age > (rules.maxSignInAge ?? Number.POSITIVE_INFINITY) * 1000
    ? 'too-old'
    : lackOfTokens(rules, signIn, now);
}

/**
 * The same for what was given already: that grows old and is not asked again, until the sign-in is
 * over or a second factor is demanded that it did not have.
 */
function lackOfTokens(rules: SignInRules, signIn: SignIn, now: Date): Lack | null {
  if (rules.requireSecondFactor && !isMultiFactor(signIn.amr)) return 'second-factor';
  const end = signInEnd(rules, signIn);
  return end !== null && end <= now ? 'over' : null;
}

/** Where a browser is, seen from the networks of a client. */
export type Place = 'inside' | 'outside' | 'unknown';

/**
 * Why nobody may sign in to a client from here; null: they may. A client with networks keeps out
 * whoever is at no known address, too.
 * @param address as it is known, for the trace
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

/** When everything ends that a sign-in gave this client; null: the lives of the tokens decide alone. */
export function signInEnd({ signInLife }: SignInRules, { authTime }: SignIn): Date | null {
  return signInLife === null ? null : later(authTime, signInLife);
}

/** Whether tokens of this client are judged by the sign-in that they come from. */
export function judgesTokens({ requireSecondFactor, signInLife }: SignInRules): boolean {
  return requireSecondFactor || signInLife !== null;
}

/**
 * Judges the sign-in behind a code or a refresh token by what the client demands now, so that a
 * rule holds at once for what was given before it. Null: it goes on.
 */
export function refusalOfSignIn(
  rules: SignInRules,
  signIn: SignIn,
  now: Date,
): OAuthRefusal | null {
  const lack = lackOfTokens(rules, signIn, now);
  if (lack === 'second-factor') {
    const reason = 'The app demands a second factor, and the user signed in with one.';
    const facts = { rule: 'second-factor-required', received: signIn.amr } as const;
    return new OAuthRefusal('invalid_grant', reason, {}, facts);
  }
  if (lack !== 'over') return null;
  const facts = {
    rule: 'sign-in-over',
    received: `a sign-in of ${signIn.authTime.toISOString()}`,
    expected: [`a sign-in of the last ${rules.signInLife} s`],
  } as const;
  return new OAuthRefusal('invalid_grant', 'What this sign-in gave the app has ended.', {}, facts);
}
