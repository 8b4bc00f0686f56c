import { barredFrom } from '../../access/held.ts';
import { config } from '../../config.ts';
import {
  accountOf,
  amrOfIdJag,
  type MeantAccount,
  readAssertionHeader,
  spendAssertion,
  trustedIssuer,
  verifyAssertion,
} from '../../identity/upstream/assertion.ts';
import { ProviderFault } from '../../identity/upstream/fault.ts';
import { authTimeSaid } from '../../identity/upstream/said-claims.ts';
import { consentWords } from '../../oauth/api.ts';
import type { Client } from '../../oauth/client.ts';
import { checkClientAuthentication } from '../../oauth/client-auth.ts';
import { checkKey, checkProof } from '../../oauth/dpop.ts';
import { OAuthRefusal, refuse } from '../../oauth/errors.ts';
import { type Facts, masked } from '../../oauth/facts.ts';
import { checkConfidentialGrant, jwtBearerGrant } from '../../oauth/grant-types.ts';
import {
  idJagType,
  type ReceivedIdJag,
  resourcesOf,
  resourcesWithin,
  scopeWithin,
} from '../../oauth/id-jag.ts';
import { noteIgnoredScopes } from '../../oauth/ignored.ts';
import { issuerKnownTo } from '../../oauth/old-issuer.ts';
import { first, type Params } from '../../oauth/params.ts';
import { askedResources, checkResources, readResources } from '../../oauth/resource.ts';
import { checkScope } from '../../oauth/scope.ts';
import { newId } from '../../oauth/secrets.ts';
import { type SignIn, unknownTime } from '../../oauth/sign-in-rules.ts';
import { addSeconds, lifetimes } from '../../oauth/token-request.ts';
import { checkFormat, lifeFor, type TokenTarget } from '../../oauth/token-target.ts';
import { apisAt } from '../../store/apis.ts';
import { findAuthorization } from '../../store/authorizations.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { storeGrantedElsewhere } from '../../store/granted-elsewhere.ts';
import { type Provider, providersAt } from '../../store/providers.ts';
import { scopesAt } from '../../store/scopes.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy } from '../../store/trace-rings.ts';
import { readClient } from '../client-authentication.ts';
import { spendProof } from '../dpop.ts';
import { type Asking, issuerFor, issueTokens, type TokenAnswer } from '../issue-tokens.ts';
import type { TokenRequest } from './grant.ts';
import { silentGrant } from './silent-grant.ts';

/**
 * The JWT bearer grant (RFC 7523 section 2.1) for identity assertions of another server
 * (draft-ietf-oauth-identity-assertion-authz-grant section 4.4). There is no refresh token: the app
 * fetches another assertion, as long as the other server still issues it one.
 * @throws OAuthRefusal
 */
export async function jwtBearer(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http, dpop: sent } = request;
  const revision = await readRevision();
  const { credentials, named } = await readClient(request, revision, now);
  const proof = checkClientAuthentication(named, credentials);
  const { client } = proof;
  checkConfidentialGrant(client, jwtBearerGrant, 'use assertions of other servers');
  http.about.behind = provedBy(client);
  http.about.attempt = newId(now);
  const settings = await settingsAt(revision);
  const dpop = checkProof(sent, client, settings);
  const text =
    first(params, 'assertion') ??
    refuse('invalid_request', 'assertion is missing.', {
      rule: 'assertion.missing',
      expected: ['assertion'],
    });
  const { provider, claims } = await readAssertion(text, client, await providersAt(revision), now);
  checkKey(claims.cnf?.jkt ?? null, dpop, 'assertion');
  const by = (await accountOf(provider, claims)) ?? refuseNobody(provider);
  const { userId } = by;
  http.about.userId = userId;
  const signIn = signInOf(provider, claims, now);
  const barred = await barredFrom(client, { userId, ...signIn }, 'anew', now);
  if (barred) throw barred.refusal;
  const { target, words, notes } = await targetOf(params, claims, client, revision);
  http.about.notes.push(...notes);
  await spendProof(dpop);
  if (!(await spendAssertion(provider, claims)))
    refuse('invalid_grant', 'The assertion was used before.', {
      rule: 'assertion.used',
      received: 'a jti that was used before',
      expected: ['a new assertion for each request'],
    });
  const asking = { ...proof, settings, revision, dpop };
  const id = http.about.attempt;
  return issue({ id, by, words, signIn }, target, asking, now);
}

/** Reads and verifies the assertion. @throws OAuthRefusal invalid_grant (RFC 7523 section 3.1) */
async function readAssertion(
  text: string,
  client: Client,
  providers: readonly Provider[],
  now: Date,
): Promise<{ provider: Provider; claims: ReceivedIdJag }> {
  const header = readAssertionHeader(text);
  const provider = header && trustedIssuer(header.issuer, providers);
  if (!provider)
    refuse('invalid_grant', 'This server does not accept assertions from this issuer.', {
      rule: 'assertion.issuer',
      received: header ? header.issuer.slice(0, 200) : masked('no JWT', text),
      expected: ['an issuer whose assertions an admin has allowed'],
    });
  const audience = issuerKnownTo(client, config().issuer);
  const claims = await verifyAssertion(provider, text, audience, now).catch((error: unknown) => {
    if (!(error instanceof ProviderFault)) throw error;
    const what = header?.typ === idJagType ? error.message : 'It is a JWT of another type.';
    // Whatever is wrong with it, the app sent it; only a provider that is away is the provider's.
    const isAway = error.facts.rule === 'provider.unreachable';
    const facts = isAway ? error.facts : { ...error.facts, rule: 'assertion.invalid' as const };
    throw new OAuthRefusal('invalid_grant', `The assertion is not valid. ${what}`, {}, facts);
  });
  if (claims.client_id !== client.id)
    refuse('invalid_grant', 'The assertion is for another client.', {
      rule: 'assertion.client',
      received: claims.client_id,
      expected: [client.id],
    });
  return { provider, claims };
}

/**
 * What the token is for: what was requested, within what the other server's assertion allows. Also
 * returns its scopes as the words of a consent, and notes about scopes that were requested in vain.
 * @throws OAuthRefusal
 */
async function targetOf(
  params: Params,
  claims: ReceivedIdJag,
  client: Client,
  revision: number,
): Promise<{ target: TokenTarget; words: string[]; notes: Facts[] }> {
  const within = resourcesWithin(readResources(params), resourcesOf(claims));
  const resources = within.length > 0 ? within : askedResources(params, client);
  // An API that the other server names but this server does not know is an error: a token without
  // it would be for something else.
  const terms = { refuseUnknownResource: true };
  const { apis } = checkResources(resources, client, await apisAt(revision), terms);
  const said = scopeWithin(first(params, 'scope'), claims.scope);
  const known = checkScope(said, client, await scopesAt(revision), apis);
  // The user did not sign in here, so there is no ID token.
  const names = known.filter((name) => name !== 'openid');
  const scope = names.join(' ');
  checkFormat(apis, scope);
  const isOfApi = (name: string) =>
    apis.some(({ scopes }) => scopes.some((each) => each.name === name));
  const ofServer = names.filter((name) => !isOfApi(name));
  const words = [...ofServer, ...apis.flatMap((api) => consentWords(api, names))];
  const target = { apis, scope, narrowed: false, ignored: [] };
  return { target, words, notes: noteIgnoredScopes(said, names) };
}

/** The other server is told nothing more, because it must not find out who has an account here. */
function refuseNobody({ name }: Provider): never {
  refuse('invalid_grant', 'The assertion is not about a user of this server.', {
    rule: 'assertion.nobody',
    received: `a user of ${name} who is not linked to an account here`,
    expected: ['a user who is linked, or has a verified address where that is allowed'],
  });
}

function signInOf(provider: Provider, claims: ReceivedIdJag, now: Date): SignIn {
  return { authTime: authTimeSaid(claims, now) ?? unknownTime, amr: amrOfIdJag(provider, claims) };
}

type Granted = { id: string; by: MeantAccount; words: readonly string[]; signIn: SignIn };

async function issue(
  { id, by: { userId, ...by }, words, signIn }: Granted,
  { apis, scope, narrowed }: TokenTarget,
  asking: Asking,
  now: Date,
): Promise<TokenAnswer> {
  const { client, settings } = asking;
  const ended = () =>
    refuse('invalid_grant', 'The access behind the assertion ended during the request.', {
      rule: 'assertion.nobody',
    });
  const grantId = await silentGrant({ userId, clientId: client.id }, words, now);
  if (grantId === 'gone') return ended();
  const endsAt = addSeconds(now, lifeFor(apis, lifetimes(client, settings).accessToken));
  const resources = apis.map(({ identifier }) => identifier);
  const whose = { clientId: client.id, clientEpoch: client.epoch, grantId, consented: words };
  const granted = { id, ...whose, scope, resources, ...by, ...signIn, endsAt };
  const stored = await storeGrantedElsewhere(granted, now);
  if (!stored) return ended();
  const { authorization } = await findAuthorization(id);
  const issuer = await issuerFor(asking, apis, now);
  const what = { what: 'tokens-issued', rotation: null, at: now } as const;
  return issueTokens(issuer, { ...stored, ...what, id, scope, narrowed, authorization }, now);
}
