import type { HttpResponse } from '../http/message.ts';
import { keyInUse, tokenKeysAt } from '../identity/token-keys.ts';
import type { CheckedRequest, RequestContext } from '../interaction/context.ts';
import { readerOf } from '../interaction/language.ts';
import type { PendingRequest } from '../interaction/pending-request.ts';
import { refuseAnswered, respond } from '../interaction/respond.ts';
import { trialLife } from '../interaction/trial.ts';
import { acrValues, isMultiFactor, isStrongEnough } from '../oauth/acr.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { type ConsentPeriod, grantEnd } from '../oauth/consent-period.ts';
import { refuse } from '../oauth/errors.ts';
import { digest } from '../oauth/secrets.ts';
import { codeLifeOf } from '../oauth/strong-client.ts';
import { addSeconds, lifetimes } from '../oauth/token-request.ts';
import { lifeFor } from '../oauth/token-target.ts';
import { makeToken } from '../oauth/tokens.ts';
import { storeAuthorization } from '../store/authorizations.ts';
import { type Grant, widenGrantOf } from '../store/grants.ts';
import type { Session } from '../store/sessions.ts';
import { boundUnredeemed } from '../store/unredeemed-codes.ts';

/** A pending request that a signed-in user has answered. */
type Answered = {
  flow: Pick<PendingRequest, 'id' | 'params'>;
  checked: CheckedRequest;
  visit: RequestContext;
  session: Session;
};

type Agreed = {
  grant: Grant | null;
  /** The user has just consented, and need not be asked for these scopes again. */
  remember: boolean;
  /** For how long access is granted; null if the user was not asked, or not for how long. */
  period: ConsentPeriod | null;
};

/**
 * Issues the code of a pending request, at most one, and sends it to the client.
 * @throws PageRefusal if the request already had its code; OAuthRefusal for the client
 */
export async function issueCode(
  answered: Answered,
  agreed: Agreed,
  now: Date,
): Promise<HttpResponse> {
  const { flow, checked, visit } = answered;
  const { client, target, request } = checked;
  checkFactors(answered);
  const grantId = await grantFor(answered, agreed, now);
  // Longer in a trial, because the admin looks at the response before the code is redeemed.
  const codeLife = codeLifeOf(client, visit.settings);
  const expiresAt = addSeconds(now, target.triedBy === undefined ? codeLife : trialLife);
  const key = keyInUse(await tokenKeysAt(visit.revision), now);
  const endsAt = agreed.period === 'once' ? now : null;
  const authorization = { ...authorizationOf(answered, grantId), codeExpiresAt: expiresAt, endsAt };
  const stored = await storeAuthorization(authorization, now);
  if (stored === 'flow-used') refuseAnswered();
  if (stored !== 'stored') refuse('access_denied', endings[stored]);
  await boundUnredeemed(grantId, flow.id);
  const code = makeToken(
    {
      kind: 'code',
      id: flow.id,
      counter: 0,
      expiresAt,
      life: 0,
      detail: '',
      jkt: request.dpopJkt,
    },
    key,
  );
  return respond(
    { target, client },
    request.responseMode,
    { code, state: request.state },
    readerOf(flow.params, visit),
  );
}

const endings = {
  'grant-gone': 'The consent was withdrawn during the request.',
  'session-gone': 'The session of the user ended during the request.',
} as const;

/**
 * Checks that the sign-in is strong enough.
 * @throws OAuthRefusal if it is weaker than the request insists on, or used one factor although the
 * client demands two
 */
function checkFactors({ checked: { client, request }, session }: Answered): void {
  const { acr } = request;
  if (acr?.essential && !isStrongEnough(session.amr, acr))
    refuse(
      'unmet_authentication_requirements',
      'The sign-in of the user is weaker than the request asks for.',
      {
        rule: 'second-factor-required',
        received: session.amr,
        expected: acr.values,
      },
    );
  if (client.requireSecondFactor && !isMultiFactor(session.amr))
    refuse('unmet_authentication_requirements', 'The user signed in with one factor only.', {
      rule: 'second-factor-required',
      received: session.amr,
    });
}

/** Stores the consent, and returns the grant's id. It never ends before its tokens. */
async function grantFor(
  { checked: { client, request }, visit: { settings }, session }: Answered,
  { grant, remember, period }: Agreed,
  now: Date,
): Promise<string> {
  const tokenLife = lifeFor(request.resources.apis, lifetimes(client, settings).accessToken);
  const life = settings.codeTtl + tokenLife;
  const given = {
    scopes: request.consentScope,
    remembered: remember && period !== 'once' ? request.consentScope : [],
    ...(period && { endsAt: (held: Grant | null) => grantEnd(period, held, life, now) }),
  };
  const whose = { userId: session.user.id, clientId: client.id };
  const grantId = await widenGrantOf(whose, grant, given, now);
  if (grantId === 'gone')
    refuse('access_denied', 'The user, the client or a scope was removed during the request.');
  return grantId;
}

/** The claims that the request asked its tokens to carry; null if it asked for none. */
function askedIn({ claims, acr }: AuthorizationRequest): string | null {
  const tellsAcr = acr?.values.includes(acrValues.passkey);
  if (!claims && !tellsAcr) return null;
  return JSON.stringify({ userinfo: [], idToken: [], ...claims, ...(tellsAcr && { acr }) });
}

function authorizationOf({ flow, checked, session }: Answered, grantId: string) {
  const { client, target, request } = checked;
  return {
    id: flow.id,
    clientId: client.id,
    userId: session.user.id,
    grantId,
    consented: request.consentScope,
    sessionHash: session.hash,
    scope: request.scope.join(' '),
    resources: request.resources.apis.map(({ identifier }) => identifier),
    redirectUri: target.uri,
    stateHash: request.state === undefined ? null : digest(request.state),
    codeChallenge: request.codeChallenge ?? null,
    nonce: request.nonce ?? null,
    claims: askedIn(request),
    authTime: session.authTime,
    amr: session.amr,
    userEpoch: session.user.epoch,
    clientEpoch: client.epoch,
  };
}
