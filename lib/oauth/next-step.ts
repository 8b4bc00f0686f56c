import { isMultiFactor } from './acr.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { RedirectTarget } from './redirect-uri.ts';
import { isWithin } from './scope.ts';

/** The signed-in user, with time and methods of the last sign-in. */
export type EndUser = {
  userId: string;
  authTime: Date;
  amr: string;
  /** A new sign-in would use more than one factor. */
  hasFactor: boolean;
};

export type NextStep = 'login' | 'consent' | 'code';

/**
 * The next step from a valid authorization request to its code (OpenID Connect Core section
 * 3.1.2.3): sign-in, then consent. `granted` are the scopes this user has already granted this
 * client.
 * @throws OAuthRefusal login_required or consent_required where `prompt=none` forbids asking
 */
export function nextStep(
  request: AuthorizationRequest,
  client: Client,
  target: RedirectTarget,
  person: EndUser | null,
  granted: readonly string[],
  startedAt: Date,
  now: Date,
): NextStep {
  const silent = request.prompt.includes('none');
  if (person && isAnother(request, person) && person.authTime > startedAt) {
    refuse('login_required', 'The signed-in user is not the one the request names.', {
      rule: 'login-required',
      received: 'another user',
    });
  }
  if (!person || mustSignInAgain(request, person, startedAt, now)) {
    return silent
      ? refuse('login_required', 'The user is not signed in, or signed in too long ago.', {
          rule: 'login-required',
          received: person ? 'a sign-in that is too old or too weak' : 'no sign-in',
        })
      : 'login';
  }
  const settled =
    canSkipConsent(client, target) &&
    (client.firstParty || isWithin(request.consentScope, granted));
  if (settled && !request.prompt.includes('consent')) return 'code';
  return silent
    ? refuse('consent_required', 'The user must be asked for consent.', {
        rule: 'consent-required',
        received: 'prompt=none',
      })
    : 'consent';
}

/**
 * Whether the request requires a new sign-in: the present one is too old (`prompt` needs one made
 * after the request began), or used one factor where the client insists on two. A user without a
 * second factor sets one up on the way.
 */
export function mustSignInAgain(
  request: AuthorizationRequest,
  person: EndUser,
  startedAt: Date,
  now: Date,
): boolean {
  if (isAnother(request, person)) return true;
  if (request.acr?.essential && !isMultiFactor(person.amr)) return true;
  if (person.authTime > startedAt) return false;
  if (request.acr && person.hasFactor && !isMultiFactor(person.amr)) return true;
  if (request.prompt.includes('login') || request.prompt.includes('select_account')) return true;
  return (
    request.maxAge !== undefined &&
    (request.maxAge === 0 || now.getTime() - person.authTime.getTime() > request.maxAge * 1000)
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
function isAnother({ subject }: AuthorizationRequest, person: EndUser): boolean {
  return subject !== undefined && subject !== person.userId;
}
