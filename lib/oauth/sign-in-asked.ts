import { isMultiFactor, isStrongEnough } from './acr.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { Rule } from './facts.ts';
import type { RedirectTarget } from './redirect-uri.ts';
import { isWithin } from './scope.ts';
import { type Lack, lackOf, type SignIn } from './sign-in-rules.ts';
import { isSubject } from './subject.ts';

/** The signed-in user, with the time and methods of the last sign-in. */
export type EndUser = SignIn & {
  userId: string;
  /** When they signed in here, though they may have proved themselves at a provider before. */
  signedInAt: Date;
  /** A new sign-in would use more than one factor. */
  hasFactor: boolean;
};

/**
 * How far a sign-in meets what is asked for: it does; it must be repeated; or it must be repeated,
 * and another user may do so.
 */
export type SignInAtHand = 'good' | 'again' | 'maybe-another';

/** A request that asks for a sign-in, its client, and when it began. */
type SignInAsked = {
  request: AuthorizationRequest;
  client: Client;
  startedAt: Date;
  /** The user whose account was chosen for the request since. */
  chosen?: string | undefined;
};

/** Whether a fresh sign-in is asked for, or a second factor from those who have one. */
export function asksForMore(
  { acr, maxAge, prompt }: AuthorizationRequest,
  { maxSignInAge }: Client,
): boolean {
  const isFresh = maxAge !== undefined || maxSignInAge !== null || prompt.includes('login');
  return isFresh || acr !== undefined;
}

/** Judges the sign-in by the request and the client (OpenID Connect Core section 3.1.2.3). */
export function judgeSignIn(asked: SignInAsked, person: EndUser, now: Date): SignInAtHand {
  if (isForAnother(asked, person)) return 'maybe-another';
  return mustSignInAgain(asked, person, now) ? 'again' : 'good';
}

/**
 * If a request is about one user, no other user may answer it, even after signing in for it.
 * @throws OAuthRefusal login_required
 */
export function checkNamedUser(
  { request, client }: Pick<SignInAsked, 'request' | 'client'>,
  person: EndUser,
  startedAt: Date,
): void {
  if (isAnother({ request, client }, person) && person.signedInAt > startedAt)
    refuse('login_required', 'The signed-in user is not the one the request names.', {
      rule: 'login-required',
      received: 'another user',
    });
}

/**
 * Whether a user who may use the client is asked for consent, or gets the code without it.
 * `granted` are the scopes that this user has already granted this client.
 * @throws OAuthRefusal consent_required where `prompt=none` forbids the page
 */
export function judgeConsent(
  request: AuthorizationRequest,
  client: Client,
  target: RedirectTarget,
  granted: readonly string[],
): 'consent' | 'code' {
  const settled =
    canSkipConsent(client, target) &&
    (client.firstParty || isWithin(request.consentScope, granted));
  if (settled && !request.prompt.includes('consent')) return 'code';
  if (request.prompt.includes('none'))
    refuse('consent_required', 'The user must be asked for consent.', {
      rule: 'consent-required',
      received: 'prompt=none',
    });
  return 'consent';
}

/**
 * The refusal for an app that does not allow a sign-in page (OpenID Connect Core section 3.1.2.6).
 * @throws OAuthRefusal login_required or interaction_required
 */
export function refuseSilent(client: Client, person: EndUser | null, now: Date): never {
  const lack = person && lackOf(client, person, now);
  // A user without a second factor must set one up, which is more than a sign-in.
  if (lack === 'second-factor' && !person?.hasFactor)
    refuse('interaction_required', 'The app requires a second factor, but the user has none.', {
      rule: 'second-factor-required',
      received: person?.amr,
    });
  refuse('login_required', 'The user is not signed in, or signed in too long ago.', {
    rule: lack ? ruleOf[lack] : 'login-required',
    received: person ? 'a sign-in that is too old or too weak' : 'no sign-in',
  });
}

const ruleOf = {
  'second-factor': 'second-factor-required',
  'too-old': 'sign-in-too-old',
  over: 'sign-in-over',
} as const satisfies Record<Lack, Rule>;

/**
 * Whether a new sign-in is needed, by the client's rules or by the request. It is needed if the
 * present one is too old (`prompt` needs one made after the request began), or used one factor
 * where two are required. A user without a second factor sets one up on the way. A passkey is asked
 * for once: if the user then signs in without one, the app is told (`lib/endpoints/issue-code.ts`).
 */
function mustSignInAgain(
  { request, client, startedAt }: SignInAsked,
  person: EndUser,
  now: Date,
): boolean {
  if (lackOf(client, person, now)) return true;
  if (request.acr?.essential && !isMultiFactor(person.amr)) return true;
  if (isTooOld(request, person, startedAt, now)) return true;
  if (person.signedInAt > startedAt) return false;
  const isWeak = !isStrongEnough(person.amr, request.acr);
  return isWeak && (person.hasFactor || request.acr?.essential === true);
}

/**
 * Seconds for which a sign-in made for a request is valid at least. Otherwise users who read the
 * consent page would have to sign in again and again.
 */
const leastAge = 60;

/**
 * Whether a sign-in is older than a request allows (`max_age`, OpenID Connect Core section 3.1.2.1)
 * at the moment of issuing the code. 0 asks for a sign-in made for this request.
 */
function isTooOld(
  { maxAge }: AuthorizationRequest,
  { authTime }: EndUser,
  startedAt: Date,
  now: Date,
): boolean {
  if (maxAge === undefined) return false;
  const age = (now.getTime() - authTime.getTime()) / 1000;
  if (authTime > startedAt) return maxAge > 0 && age > Math.max(maxAge, leastAge);
  return maxAge === 0 || age > maxAge;
}

/**
 * Whether a user other than the one signed in may end up answering the request. Choosing an account
 * satisfies `select_account`; `login` needs a sign-in.
 */
function isForAnother(
  { request, client, startedAt, chosen }: SignInAsked,
  person: EndUser,
): boolean {
  if (isAnother({ request, client }, person)) return true;
  const { prompt } = request;
  if (prompt.includes('login') && person.authTime <= startedAt) return true;
  if (person.signedInAt > startedAt) return false;
  return prompt.includes('select_account') && chosen !== person.userId;
}

/**
 * Whether consent may be skipped. Not where another program could receive the response at the same
 * redirect URI: there the user is asked every time (RFC 8252 section 8.6, RFC 9700 section 4.1).
 */
export function canSkipConsent(client: Client, target: RedirectTarget): boolean {
  if (!target.registered || target.kind === 'http') return false;
  return client.type === 'confidential' || target.kind === 'https';
}

/** Whether the request names another user than this one (`id_token_hint`, or `sub` in `claims`). */
function isAnother(
  { request: { subject }, client }: Pick<SignInAsked, 'request' | 'client'>,
  person: EndUser,
): boolean {
  return subject !== undefined && !isSubject(subject, client, person.userId);
}
