import { config } from '../config.ts';
import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { registrationMode } from '../identity/registration.ts';
import { keySetCacheable, publicKeySet } from '../identity/signing.ts';
import { offeredLocales } from '../messages/locales.ts';
import { acrValues } from '../oauth/acr.ts';
import { prompts, responseModes } from '../oauth/authorization-request.ts';
import { claimsByScope } from '../oauth/claims.ts';
import { clientFields } from '../oauth/client.ts';
import {
  clientAuthMethodNames,
  keyMethodNames,
  provingMethodNames,
} from '../oauth/client-auth-methods.ts';
import { grantTypeNames } from '../oauth/grant-types.ts';
import { idJagProfile, idJagTokenType } from '../oauth/id-jag.ts';
import { clientSigningAlgs } from '../oauth/key-set.ts';
import { atOldAddress, type OldPath } from '../oauth/old-issuer.ts';
import { strongAlgs } from '../oauth/strong-client.ts';
import type { Settings } from '../settings/table.ts';
import { apisAt } from '../store/apis.ts';
import { readRevision } from '../store/engine/revision.ts';
import { signingAlgs } from '../store/keys.ts';
import { scopesAt } from '../store/scopes.ts';
import { settingsAt } from '../store/settings.ts';

const cacheable = { 'cache-control': `public, max-age=${keySetCacheable}`, pragma: 'cache' };

/** RFC 8414 and OpenID Connect Discovery: the same document, listing what works. */
export async function metadata({ oldIssuer }: HttpRequest, _now: Date): Promise<HttpResponse> {
  const { issuer } = config();
  const at = (path: string) => issuer + path;
  const realm = oldIssuer === undefined ? null : issuer + oldIssuer;
  const revision = await readRevision();
  const apis = (await apisAt(revision)).filter(({ access }) => access === 'anyone');
  const scopes = (await scopesAt(revision)).filter((scope) => !scope.sensitive);
  const settings = await settingsAt(revision);
  const { clientDocumentHosts, clientRegistration } = settings;
  const document = {
    issuer: realm ?? issuer,
    ...endpointsAt(realm === null ? at : (path) => atOldAddress(realm, path)),
    // No client registers at an old issuer.
    ...(clientRegistration !== 'off' &&
      realm === null && { registration_endpoint: at('/oauth/register') }),
    scopes_supported: scopes.map((scope) => scope.name),
    response_modes_supported: responseModes,
    grant_types_supported: grantTypeNames,
    // draft-ietf-oauth-identity-assertion-authz-grant section 7
    authorization_grant_profiles_supported: [idJagProfile],
    identity_chaining_requested_token_types_supported: [idJagTokenType],
    ...protectionBy(settings),
    ...(clientDocumentHosts.length > 0 && { client_id_metadata_document_supported: true }),
    subject_types_supported: clientFields.subjectType.of,
    id_token_signing_alg_values_supported: signingAlgs,
    acr_values_supported: Object.values(acrValues),
    prompt_values_supported: await promptsHere(),
    ui_locales_supported: offeredLocales,
    ...always,
    // RFC 9728 section 4. APIs that only some clients may request are left out, because they
    // concern no one else.
    ...(apis.length > 0 && { protected_resources: apis.map(({ identifier }) => identifier) }),
    service_documentation: at('/docs'),
  };
  return json(200, document, cacheable);
}

/**
 * How clients can authenticate and sign here. If all clients have to be strong, only what strong
 * clients may use is listed (FAPI 2.0 Security Profile sections 5.3.2.1 and 5.4.1). Clients that an
 * admin exempts know what they use instead.
 */
function protectionBy({ requireStrongClients: strong, ...settings }: Settings) {
  const methods = strong ? keyMethodNames : clientAuthMethodNames;
  const algs = strong ? strongAlgs : clientSigningAlgs;
  return {
    require_pushed_authorization_requests: strong || settings.requirePushedAuthorizationRequests,
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algs,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algs,
    introspection_endpoint_auth_methods_supported: strong ? keyMethodNames : provingMethodNames,
    introspection_endpoint_auth_signing_alg_values_supported: algs,
    dpop_signing_alg_values_supported: algs,
  };
}

/** What no setting changes. */
const always = {
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  claim_types_supported: ['normal'],
  claims_supported: [
    ...'sub iss aud exp iat auth_time nonce amr acr sid username'.split(' '),
    ...Object.values(claimsByScope).flat(),
  ],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
};

/** The addresses that apps know by an old issuer as well. */
function endpointsAt(at: (path: OldPath) => string) {
  return {
    authorization_endpoint: at('/oauth/authorize'),
    pushed_authorization_request_endpoint: at('/oauth/par'),
    token_endpoint: at('/oauth/token'),
    device_authorization_endpoint: at('/oauth/device_authorization'),
    userinfo_endpoint: at('/oauth/me'),
    revocation_endpoint: at('/oauth/revoke'),
    introspection_endpoint: at('/oauth/introspect'),
    end_session_endpoint: at('/oauth/logout'),
    jwks_uri: at('/oauth/jwks'),
  };
}

/** The public halves of the signing keys (RFC 7517). */
export async function jwks(_request: HttpRequest, now: Date): Promise<HttpResponse> {
  return json(200, await publicKeySet(await readRevision(), now), cacheable);
}

/** The values of `prompt` that lead anywhere here. */
async function promptsHere(): Promise<readonly string[]> {
  const isOpen = (await registrationMode()) === 'open';
  return prompts.filter((each) => isOpen || each !== 'create');
}
