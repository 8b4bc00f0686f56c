import { isMultiFactor } from './acr.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { RedirectTarget } from './redirect-uri.ts';
import { isWithin } from './scope.ts';

/** The person at the browser: who, and when and how they last proved it. */
export type Person = {
  userId: string;
  authTime: Date;
  amr: string;
  /** Signing in again would take more than one factor. */
  hasFactor: boolean;
};

export type NextStep = 'login' | 'consent' | 'code';

/**
 * What stands between a valid authorization request and its code (OpenID Connect Core section
 * 3.1.2.3): sign-in first, then consent. `granted` are the scopes this person gave this client before.
 * @throws OAuthRefusal login_required or consent_required where `prompt=none` forbids to ask
 */
export function nextStep(
  request: AuthorizationRequest,
  client: Client,
  target: RedirectTarget,
  person: Person | null,
  granted: readonly string[],
  startedAt: Date,
  now: Date,
): NextStep {
  const silent = request.prompt.includes('none');
  if (person && isAnother(request, person) && person.authTime > startedAt) {
    refuse('login_required', 'Somebody else signed in than the one the request is about.');
  }
  if (!person || mustSignInAgain(request, person, startedAt, now)) {
    return silent
      ? refuse('login_required', 'The person is not signed in, or not recently enough.')
      : 'login';
  }
  const settled =
    canSkipConsent(client, target) &&
    (client.firstParty || isWithin(request.consentScope, granted));
  if (settled && !request.prompt.includes('consent')) return 'code';
  return silent ? refuse('consent_required', 'The person has to be asked for consent.') : 'consent';
}

/**
 * Whether this sign-in is not what the request asks for: too old (only one made after the request
 * began meets `prompt`), or by one factor where the client insists on two. Whoever has no second
 * one sets it up on the way.
 */
export function mustSignInAgain(
  request: AuthorizationRequest,
  person: Person,
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
 * Where the client cannot be told apart from another program that answers at the same address,
 * the person is asked each time (RFC 8252 section 8.6, RFC 9700 section 4.1).
 */
export function canSkipConsent(client: Client, target: RedirectTarget): boolean {
  if (!target.registered || target.kind === 'http') return false;
  return client.type === 'confidential' || target.kind === 'https';
}

/** The request is about one person (`id_token_hint`, a `sub` in `claims`), and this is somebody else. */
function isAnother({ subject }: AuthorizationRequest, person: Person): boolean {
  return subject !== undefined && subject !== person.userId;
}
