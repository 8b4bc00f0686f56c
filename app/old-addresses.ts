import type { EndpointPath } from './paths.ts';

const protocol = '/protocol/openid-connect';

/** Where a realm of Keycloak has what is here; all of it stands behind the path of its issuer. */
const oldAddresses = {
  '/.well-known/openid-configuration': '/.well-known/openid-configuration',
  [`${protocol}/auth`]: '/oauth/authorize',
  [`${protocol}/ext/par/request`]: '/oauth/par',
  [`${protocol}/token`]: '/oauth/token',
  [`${protocol}/userinfo`]: '/oauth/me',
  [`${protocol}/logout`]: '/oauth/logout',
  [`${protocol}/certs`]: '/oauth/jwks',
  [`${protocol}/revoke`]: '/oauth/revoke',
  [`${protocol}/token/introspect`]: '/oauth/introspect',
  [`${protocol}/auth/device`]: '/oauth/device_authorization',
} as const satisfies Record<string, EndpointPath>;

const table = new Map<string, EndpointPath>(Object.entries(oldAddresses));

/** What an old address names: its issuer, and the endpoint. It has one spelling. */
export function readOldAddress(rawPath: string): { issuer: string; path: EndpointPath } | null {
  if (!rawPath.startsWith('/realms/') && !rawPath.startsWith('/auth/realms/')) return null;
  const [, issuer = '', rest = ''] =
    /^((?:\/auth)?\/realms\/[A-Za-z0-9._-]{1,60})(\/.{1,60})$/.exec(rawPath) ?? [];
  const path = table.get(rest);
  return path ? { issuer, path } : null;
}
