import { isMultiFactor, isStrongEnough } from './acr.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { Rule } from './facts.ts';
import type { RedirectTarget } from './redirect-uri.ts';
import { isWithin } from './scope.ts';
import { type Lack, lackOf, type SignIn } from './sign-in-rules.ts';
import { isSubject } from './subject.ts';

/** The signed-in user, with time and methods of the last sign-in. */
export type EndUser = SignIn & {
  userId: string;
  /** A new sign-in would use more than one factor. */
  hasFactor: boolean;
};

/** How far a sign-in answers what is asked: it does; it has to be made again; and then somebody else may answer. */
export type SignInAtHand = 'good' | 'again' | 'maybe-another';

/** A request that asks for a sign-in, its client, and when it began. */
type SignInAsked = {
  request: AuthorizationRequest;
  client: Client;
  startedAt: Date;
  /** The user whose account was chosen for it since. */
  chosen?: string | undefined;
};

/** Whether a request or its client asks for a sign-in that is made now, or for a second factor of whoever has one. */
export function asksForMore(
  { acr, maxAge, prompt }: AuthorizationRequest,
  { maxSignInAge }: Client,
): boolean {
  const isFresh = maxAge !== undefined || maxSignInAge !== null || prompt.includes('login');
  return isFresh || acr !== undefined;
}

/** Judges the sign-in at hand by the request and the rules of the client (OpenID Connect Core section 3.1.2.3). */
export function judgeSignIn(asked: SignInAsked, person: EndUser, now: Date): SignInAtHand {
  if (isForAnother(asked, person)) return 'maybe-another';
  return mustSignInAgain(asked, person, now) ? 'again' : 'good';
}

/**
 * A request about one user is not answered by somebody else who signed in for it.
 * @throws OAuthRefusal login_required
 */
export function checkNamedUser(
  { request, client }: Pick<SignInAsked, 'request' | 'client'>,
  person: EndUser,
  startedAt: Date,
): void {
  if (isAnother({ request, client }, person) && person.authTime > startedAt)
    refuse('login_required', 'The signed-in user is not the one the request names.', {
      rule: 'login-required',
      received: 'another user',
    });
}

/**
 * Whether somebody who may use the client is asked for consent, or the code follows. `granted` are
 * the scopes this user has already granted this client.
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
 * What an app is told that may not have the user sign in (OpenID Connect Core section 3.1.2.6).
 * @throws OAuthRefusal login_required or interaction_required
 */
export function refuseSilent(client: Client, person: EndUser | null, now: Date): never {
  const lack = person && lackOf(client, person, now);
  // Whoever has no second factor sets one up, which is more than a sign-in.
  if (lack === 'second-factor' && !person?.hasFactor)
    refuse('interaction_required', 'The app demands a second factor, and the user has none.', {
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
 * Whether a new sign-in is needed, by the rules of the client or by the request: the present one is
 * too old (`prompt` needs one made after the request began), or used one factor where two are
 * insisted on. A user without a second factor sets one up on the way. A passkey is asked for once: who
 * then signs in without one is told so.
 */
function mustSignInAgain(
  { request, client, startedAt }: SignInAsked,
  person: EndUser,
  now: Date,
): boolean {
  if (lackOf(client, person, now)) return true;
  if (request.acr?.essential && !isMultiFactor(person.amr)) return true;
  if (isTooOld(request, person, startedAt, now)) return true;
  if (person.authTime > startedAt) return false;
  const isWeak = !isStrongEnough(person.amr, request.acr);
  return isWeak && (person.hasFactor || request.acr?.essential === true);
}

/** Seconds that a sign-in made for a request is good at least: whoever reads a consent would else sign in again and again. */
const leastAge = 60;

/**
 * Whether a sign-in is older than a request asks for (`max_age`, OpenID Connect Core section 3.1.2.1), at the
 * moment in which the code would be issued. 0 asks for one that is made for it.
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
 * Whether the request may turn out to be answered by somebody else than who is signed in. An account
 * that was chosen is one that `select_account` asks for; `login` takes a sign-in.
 */
function isForAnother(
  { request, client, startedAt, chosen }: SignInAsked,
  person: EndUser,
): boolean {
  if (isAnother({ request, client }, person)) return true;
  if (person.authTime > startedAt) return false;
  const { prompt } = request;
  return (
    prompt.includes('login') || (prompt.includes('select_account') && chosen !== person.userId)
  );
}

/**
 * Whether consent may be skipped. Not where another program could answer at the same redirect URI:
 * there the user is asked every time (RFC 8252 section 8.6, RFC 9700 section 4.1).
 */
export function canSkipConsent(client: Client, target: RedirectTarget): boolean {
  if (!target.registered || target.kind === 'http') return false;
  return client.type === 'confidential' || target.kind === 'https';
}

/**
 * The request is about one user (`id_token_hint`, or `sub` in `claims`), and someone else is signed
 * in.
 */
function isAnother(
  { request: { subject }, client }: Pick<SignInAsked, 'request' | 'client'>,
  person: EndUser,
): boolean {
  return subject !== undefined && !isSubject(subject, client, person.userId);
}
