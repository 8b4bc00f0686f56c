import { type ClientField, type ClientSettings, clientFields, newClient } from './client.ts';
import { type ClientAuthMethod, clientAuthMethodNames } from './client-auth-methods.ts';
import {
  backchannelFault,
  initiateLoginFault,
  jwksUriFault,
  startWithoutTls,
} from './client-links.ts';
import { type GrantType, grantTypeNames, grantTypes } from './grant-types.ts';
import { clientSigningAlgs, isClientSigningAlg, keySetFault } from './key-set.ts';
import { shownName } from './name.ts';
import { addressesOf, hostOf } from './places.ts';
import { redirectKind, redirectUriFault } from './redirect-uri.ts';
import { hasSector } from './subject.ts';
import type { Wording } from './wording.ts';

/** A client's metadata as it was sent (RFC 7591 section 2). Unknown members are ignored. */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** What is wrong with client metadata: the error of RFC 7591 section 3.2.2, and a sentence. */
export type MetadataFault = {
  code: 'invalid_redirect_uri' | 'invalid_client_metadata';
  reason: string;
  received?: string;
  expected?: readonly string[];
};

/** Members that are lists of texts. */
const lists = ['redirect_uris', 'post_logout_redirect_uris', 'grant_types', 'response_types'];
/** Lists that mean the same empty and absent: what is usual. */
const optionalLists = ['grant_types', 'response_types'];

/**
 * Metadata as programs write it: null is the same as absent (RFC 7591 section 2), and so is an
 * empty text, or an empty list where one is optional. A text where a list belongs is a list of one.
 */
export function readMetadata(sent: ClientMetadata): ClientMetadata {
  const given = Object.entries(sent).filter(([name, value]) => !isAbsent(name, value));
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' && lists.includes(name) ? [value] : value,
    ]),
  );
}

const isAbsent = (name: string, value: unknown) =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0 && optionalLists.includes(name));

const mostAddresses = 20;
const longestName = 60;
const longestLink = 500;
const shown = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 200);

/** What is wrong with client metadata; null: `clientOfMetadata` can make a client from it. */
export function metadataFault(metadata: ClientMetadata): MetadataFault | null {
  return (
    // Before the addresses, which only an app that people return to has (section 2).
    grantsFault(metadata) ??
    addressesFault(metadata, 'redirect_uris', true) ??
    addressesFault(metadata, 'post_logout_redirect_uris', false) ??
    linksFault(metadata) ??
    authMethodFault(metadata) ??
    keysFault(metadata) ??
    responseTypesFault(metadata) ??
    typeFault(metadata) ??
    unsupportedFault(metadata)
  );
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function addressesFault(
  metadata: ClientMetadata,
  name: 'redirect_uris' | 'post_logout_redirect_uris',
  needed: boolean,
): MetadataFault | null {
  const uris = metadata[name];
  const refuse = (reason: string, received: string, expected?: readonly string[]) => ({
    code: name === 'redirect_uris' ? ('invalid_redirect_uri' as const) : invalid,
    reason,
    received,
    ...(expected && { expected }),
  });
  if (uris === undefined && !needed) return null;
  if (!isList(uris) || (needed && uris.length === 0))
    return refuse(`${name} must be a list of addresses.`, shown(uris), ['["https://…"]']);
  if (uris.length > mostAddresses)
    return refuse(`${name} has more than ${mostAddresses} addresses.`, `${uris.length} addresses`, [
      `at most ${mostAddresses}`,
    ]);
  for (const uri of uris) {
    const fault =
      redirectUriFault(uri)?.english ?? hostFault(uri) ?? kindFault(uri, metadata.application_type);
    if (fault) return refuse(`${name}: ${fault}`, uri.slice(0, 500));
  }
  return null;
}

const invalid = 'invalid_client_metadata' as const;

/** A final dot is another name for the same host, and would bypass what admins decided about it. */
function hostFault(uri: string): string | null {
  const { protocol, hostname } = new URL(uri);
  if (!/^https?:$/.test(protocol) || !hostname.endsWith('.')) return null;
  return 'Its host ends with a dot. Write it without.';
}

/** Addresses that people are sent to for a sign-in, and that this server notifies of a sign-out. */
const links = { initiate_login_uri: startFault, backchannel_logout_uri: backchannelFault };

/**
 * OpenID Connect Dynamic Client Registration section 2 allows https only, even for addresses of the
 * same computer.
 */
function startFault(uri: string): Wording | null {
  const fault = initiateLoginFault(uri);
  return fault || redirectKind(uri) === 'https' ? fault : startWithoutTls;
}

function linksFault(metadata: ClientMetadata): MetadataFault | null {
  for (const [name, faultOf] of Object.entries(links)) {
    const uri = metadata[name];
    if (uri === undefined) continue;
    const fault =
      typeof uri === 'string' && uri.length <= longestLink
        ? (faultOf(uri)?.english ?? hostFault(uri))
        : `It must be an address of at most ${longestLink} characters.`;
    if (fault) return { code: invalid, reason: `${name}: ${fault}`, received: shown(uri) };
  }
  return null;
}

/** OpenID Connect Dynamic Client Registration section 2: web applications have https addresses. */
function kindFault(uri: string, applicationType: unknown): string | null {
  const kind = redirectKind(uri);
  if (kind === 'http') return 'Plain http is only for addresses of the same computer; use https.';
  if (applicationType !== 'web' || kind === 'https') return null;
  return 'With application_type web, every address must start with https; an app on a device sends native.';
}

function authMethodFault({
  token_endpoint_auth_method: method,
}: ClientMetadata): MetadataFault | null {
  if (method === undefined || clientAuthMethodNames.some((known) => known === method)) return null;
  const reason = `This server does not offer that token_endpoint_auth_method. It offers ${clientAuthMethodNames.join(', ')}.`;
  return { code: invalid, reason, received: shown(method), expected: clientAuthMethodNames };
}

/** Keys are only checked if the client will authenticate with them. They have no other use here. */
function keysFault(metadata: ClientMetadata): MetadataFault | null {
  const { jwks, jwks_uri: uri, token_endpoint_auth_signing_alg: alg } = metadata;
  if (metadata.token_endpoint_auth_method !== 'private_key_jwt') return null;
  const refuse = (reason: string, received: unknown, expected?: readonly string[]) => ({
    code: invalid,
    reason,
    received: shown(received),
    ...(expected && { expected }),
  });
  if (isGiven(alg) && !isClientSigningAlg(alg))
    return refuse('This token_endpoint_auth_signing_alg is not supported.', alg, clientSigningAlgs);
  if (!isGiven(jwks) && !isGiven(uri))
    return refuse('private_key_jwt needs keys: send jwks or jwks_uri.', undefined, [
      'jwks or jwks_uri',
    ]);
  if (isGiven(jwks)) {
    const fault = keySetFault(JSON.stringify(jwks));
    // The client may have sent a secret by mistake, so what it sent is not shown.
    return fault && refuse(`jwks: ${fault.english}`, 'a JWK Set');
  }
  if (typeof uri !== 'string' || uri.length > longestLink)
    return refuse(`jwks_uri: It must be an address of at most ${longestLink} characters.`, uri);
  const fault = jwksUriFault(uri)?.english ?? hostFault(uri);
  return fault ? refuse(`jwks_uri: ${fault}`, uri) : null;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

function grantsFault(metadata: ClientMetadata): MetadataFault | null {
  const { grant_types: given } = metadata;
  const received = shown(given);
  if (given !== undefined && !isList(given))
    return { code: invalid, reason: 'grant_types must be a list of grant types.', received };
  if (grantsOf(metadata).includes('authorization_code')) return null;
  return {
    code: invalid,
    reason:
      'grant_types: an app that no admin has added needs authorization_code, with or without refresh_token. For any other, ask an admin to add it.',
    received,
    expected: offered,
  };
}

const offered = grantTypeNames.filter((name) => grantTypes[name].selfRegistered);

/** The grant types it names that are available here; the usual ones if it names none. */
function grantsOf({ grant_types: given }: ClientMetadata): readonly GrantType[] {
  if (given === undefined) return newClient.grants as readonly GrantType[];
  return isList(given) ? offered.filter((name) => given.includes(name)) : [];
}

function responseTypesFault({ response_types: given }: ClientMetadata): MetadataFault | null {
  if (given === undefined || (isList(given) && given.includes('code'))) return null;
  const reason = 'response_types must hold code.';
  return { code: invalid, reason, received: shown(given), expected: ['["code"]'] };
}

const texts = ['client_name', 'client_uri', 'policy_uri', 'tos_uri'] as const;
const applicationTypes = ['web', 'native'];

function typeFault(metadata: ClientMetadata): MetadataFault | null {
  const odd = texts.find((name) => !['string', 'undefined'].includes(typeof metadata[name]));
  if (odd) return { code: invalid, reason: `${odd} must be text.`, received: shown(metadata[odd]) };
  const { application_type: type } = metadata;
  if (type === undefined || applicationTypes.includes(type as string)) return null;
  const reason = 'application_type is web or native.';
  return { code: invalid, reason, received: shown(type), expected: applicationTypes };
}

const subjectTypes = clientFields.subjectType.of;

const encryption = [
  'id_token_encrypted_response_alg',
  'id_token_encrypted_response_enc',
  'userinfo_encrypted_response_alg',
  'userinfo_encrypted_response_enc',
];

const registering = (redirectUris: readonly string[]) =>
  ({ origin: 'registration', redirectUris, sectorIdentifierUri: null }) as const;

/** Metadata that an app would take for accepted although this server does not support it. */
function unsupportedFault(metadata: ClientMetadata): MetadataFault | null {
  const said = (name: string) => isGiven(metadata[name]);
  if (said('jwks') && said('jwks_uri'))
    return {
      code: invalid,
      reason: 'jwks and jwks_uri exclude each other (RFC 7591 section 2). Send one of them.',
      received: 'jwks and jwks_uri',
      expected: ['jwks or jwks_uri'],
    };
  const { subject_type: subject, backchannel_logout_session_required: session } = metadata;
  if (said('subject_type') && !subjectTypes.some((known) => known === subject))
    return {
      code: invalid,
      reason: 'The subject_type is public or pairwise.',
      received: shown(subject),
      expected: subjectTypes,
    };
  if (said('sector_identifier_uri'))
    return {
      code: invalid,
      reason:
        'sector_identifier_uri is not supported: the sector of a registered client is the one host of its redirect URIs, or the client itself. Leave it out.',
      received: shown(metadata.sector_identifier_uri),
      expected: ['no sector_identifier_uri'],
    };
  const { redirect_uris: uris } = metadata;
  if (subject === 'pairwise' && isList(uris) && !hasSector(registering(uris)))
    return {
      code: invalid,
      reason:
        'Pairwise subjects need redirect_uris that share one host (OpenID Connect Core section 8.1) or only lead to programs on a device.',
      received: shown(uris),
      expected: ['redirect_uris of one host', 'subject_type public'],
    };
  if (said('backchannel_logout_session_required') && typeof session !== 'boolean')
    return {
      code: invalid,
      reason: 'backchannel_logout_session_required is true or false.',
      received: shown(session),
      expected: ['true', 'false'],
    };
  const encrypted = encryption.find(said);
  if (!encrypted) return null;
  const reason = `${encrypted}: this server signs and does not encrypt. Leave it out.`;
  return { code: invalid, reason, received: shown(metadata[encrypted]) };
}

/**
 * The client described by metadata without a fault. What the metadata leaves out is as for any new
 * client.
 * @param usual how the client authenticates if the metadata does not say so
 * @param host the client's name if it has none; without it, the hosts of its addresses
 */
export function clientOfMetadata(
  metadata: ClientMetadata,
  usual: ClientAuthMethod,
  host?: string,
): ClientSettings {
  const method = authMethodOf(metadata, usual);
  const said: ClientSettings = {
    ...newClient,
    name: nameOf(metadata.client_name),
    type: method === 'none' ? 'public' : 'confidential',
    ...(method === 'private_key_jwt' && keysIn(metadata)),
    homePage: linkOf(metadata.client_uri),
    privacyLink: linkOf(metadata.policy_uri),
    termsLink: linkOf(metadata.tos_uri),
    grants: grantsOf(metadata),
    redirectUris: distinctUris(metadata.redirect_uris),
    postLogoutRedirectUris: distinctUris(metadata.post_logout_redirect_uris),
    backchannelLogoutUri: textOf(metadata.backchannel_logout_uri),
    initiateLoginUri: textOf(metadata.initiate_login_uri),
    subjectType: metadata.subject_type === 'pairwise' ? 'pairwise' : 'public',
    idTokenAlg: algOf(metadata.id_token_signed_response_alg),
    requirePushedAuthorizationRequests:
      metadata.require_pushed_authorization_requests === true ? true : null,
    dpopBoundAccessTokens: metadata.dpop_bound_access_tokens === true,
  };
  return said.name
    ? said
    : { ...said, name: (host ?? hostOf(addressesOf(said))).slice(0, longestName) };
}

/** The one of the two that is given; `metadataFault` has checked it. */
function keysIn({ jwks, jwks_uri: uri }: ClientMetadata): Pick<ClientSettings, 'jwks' | 'jwksUri'> {
  return isGiven(jwks)
    ? { jwks: JSON.stringify(jwks), jwksUri: null }
    : { jwks: null, jwksUri: textOf(uri) };
}

/** The fields that metadata sets; admins decide all others. */
export const saidByMetadata = [
  'name',
  'type',
  'homePage',
  'privacyLink',
  'termsLink',
  'grants',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'initiateLoginUri',
  'idTokenAlg',
  'subjectType',
  'requirePushedAuthorizationRequests',
  'dpopBoundAccessTokens',
  'jwks',
  'jwksUri',
] as const satisfies readonly ClientField[];

/** How the client authenticates at the token endpoint. */
export function authMethodOf(
  { token_endpoint_auth_method: method }: ClientMetadata,
  usual: ClientAuthMethod,
): ClientAuthMethod {
  return clientAuthMethodNames.find((known) => known === method) ?? usual;
}

/** A self-given name, without characters that hide or reorder text. */
function nameOf(given: unknown): string {
  return typeof given === 'string' ? shownName(given, longestName) : '';
}

/** A page that people may be sent to. Addresses other than https are left out. */
function linkOf(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > longestLink) return null;
  if (!/^https:\/\/[\x21-\x7e]+$/.test(given) || !URL.canParse(given)) return null;
  const { username, password } = new URL(given);
  return username || password ? null : given;
}

const textOf = (given: unknown) => (typeof given === 'string' ? given : null);

const distinctUris = (given: unknown) => (isList(given) ? [...new Set(given)] : []);

const algOf = (given: unknown) =>
  clientFields.idTokenAlg.of.find((alg) => alg === given) ?? newClient.idTokenAlg;
