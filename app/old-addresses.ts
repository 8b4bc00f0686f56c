import { oldPaths } from '#lib/oauth/old-issuer.ts';
import type { EndpointPath } from './paths.ts';

const protocol = '/protocol/openid-connect';

/** Where a realm of Keycloak has what is here; all of it stands behind the path of its issuer. */
const table = new Map<string, EndpointPath>([
  ['/.well-known/openid-configuration', '/.well-known/openid-configuration'],
  ...Object.entries(oldPaths).map(
    ([path, name]) => [`${protocol}/${name}`, path as keyof typeof oldPaths] as const,
  ),
]);

/** What an old address names: its issuer, and the endpoint. It has one spelling. */
export function readOldAddress(rawPath: string): { issuer: string; path: EndpointPath } | null {
  if (!rawPath.startsWith('/realms/') && !rawPath.startsWith('/auth/realms/')) return null;
  const [, issuer = '', rest = ''] =
    /^((?:\/auth)?\/realms\/[A-Za-z0-9._-]{1,60})(\/.{1,60})$/.exec(rawPath) ?? [];
  const path = table.get(rest);
  return path ? { issuer, path } : null;
}
