import { appLinks, linksOfMetadata } from './app-links.ts';
import { type ClientField, type ClientSettings, clientFields, newClient } from './client.ts';
import { type ClientAuthMethod, clientAuthMethodNames } from './client-auth-methods.ts';
import { type GrantType, grantTypeNames, grantTypes } from './grant-types.ts';
import { shownName } from './name.ts';
import { addressesOf, hostOf } from './places.ts';

/** A client's metadata as it was sent (RFC 7591 section 2). Unknown members are ignored. */
export type ClientMetadata = Readonly<Record<string, unknown>>;

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

const longestName = 60;
export const longestLink = 500;

export const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const isGiven = (value: unknown) => value !== undefined && value !== null;

/** The grant types that an app may have that no admin added. */
export const offered = grantTypeNames.filter((name) => grantTypes[name].selfRegistered);

/** The grant types it names that are available here; the usual ones if it names none. */
export function grantsOf({ grant_types: given }: ClientMetadata): readonly GrantType[] {
  if (given === undefined) return newClient.grants as readonly GrantType[];
  return isList(given) ? offered.filter((name) => given.includes(name)) : [];
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
    ...linksOfMetadata(metadata, linkOf),
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
  ...appLinks,
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
