import { decoded } from '#lib/http/decoded.ts';
import { nearest } from '#lib/management/nearest.ts';
import type { EndpointPath } from './paths.ts';

/** The metadata document, which is at the issuer's address wherever else programs look for it. */
const issuerDocument = '/.well-known/openid-configuration';

/**
 * What other servers call our endpoints: the last part of the address, in lower case and with `_`.
 */
const called: Partial<Record<EndpointPath, readonly string[]>> = {
  '/oauth/authorize': ['authorize', 'authorise', 'authorization', 'authorisation', 'auth'],
  '/oauth/token': ['token', 'tokens', 'access_token', 'refresh_token'],
  '/oauth/me': ['userinfo', 'user_info', 'me', 'user', 'profile'],
  '/oauth/revoke': ['revoke', 'revocation', 'revoke_token'],
  '/oauth/introspect': ['introspect', 'introspection', 'token_info', 'tokeninfo'],
  '/oauth/jwks': ['jwks', 'jwks.json', 'jwk', 'keys', 'certs'],
  '/oauth/device_authorization': ['device_authorization', 'device', 'device_code'],
  '/oauth/logout': ['logout', 'end_session', 'endsession', 'signout'],
  '/oauth/register': ['register', 'registration', 'clients'],
  [issuerDocument]: ['openid_configuration', 'oauth_authorization_server'],
};

const addresses = new Map<string, EndpointPath>(
  Object.entries(called).flatMap(([path, names]) =>
    names.map((name) => [name, path as EndpointPath] as const),
  ),
);

/** Folders in which programs look for endpoints. None of our pages is in one. */
export const programFolders = [
  'oauth',
  'oauth2',
  '.well-known',
  'oidc',
  'openid',
  'openid-connect',
  'connect',
  'realms',
  'application',
  'api',
] as const;

/** The same at the root of an address, where there are pages too. */
export const programNames = [
  'authorize',
  'authorise',
  'token',
  'userinfo',
  'jwks',
  'jwks.json',
  'revoke',
  'introspect',
  'device_authorization',
  'end_session',
  'endsession',
  'openid-configuration',
  'oauth-authorization-server',
  'oauth',
  'oauth2',
  '.well-known',
] as const;

const folders = new Set<string>(programFolders);
const atRoot = new Set<string>(programNames);

/** Whether only a program can have asked for this path, where nothing is. */
export function isForPrograms(path: string): boolean {
  const parts = partsOf(path);
  const [first = '', ...rest] = parts;
  return (rest.length === 0 ? atRoot : folders).has(first) || isDiscovery(parts);
}

/** The address that was probably meant by a path where nothing is. */
export function nearestAddress(path: string): EndpointPath | undefined {
  const parts = partsOf(path);
  if (isDiscovery(parts)) return issuerDocument;
  const name = plainly(parts.at(-1) ?? '');
  const known = addresses.get(name);
  if (known || !folders.has(parts[0] ?? '') || parts.length === 1) return known;
  return addresses.get(nearest(name, [...addresses.keys()]) ?? '');
}

/**
 * Whether this asks for a server's metadata with something before or behind the path, or misspelt.
 */
function isDiscovery(parts: readonly string[]): boolean {
  const at = parts.indexOf('.well-known');
  return at >= 0 && parts.slice(at).some((part) => /^(openid|oauth_auth)/.test(plainly(part)));
}

const plainly = (part: string) => part.replaceAll('-', '_');

/** Split before decoding, because a client ID can contain slashes. */
function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decoded(part).toLowerCase());
}
