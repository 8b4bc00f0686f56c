import { oldPaths } from '#lib/oauth/old-issuer.ts';
import type { EndpointPath } from './paths.ts';

const protocol = '/protocol/openid-connect';

/**
 * Where a Keycloak realm has the endpoints we have; all paths come after the path of its issuer.
 */
const table = new Map<string, EndpointPath>([
  ['/.well-known/openid-configuration', '/.well-known/openid-configuration'],
  ...Object.entries(oldPaths).map(
    ([path, name]) => [`${protocol}/${name}`, path as keyof typeof oldPaths] as const,
  ),
]);

/** The issuer and the endpoint that an old address names. Only the exact spelling counts. */
export function readOldAddress(rawPath: string): { issuer: string; path: EndpointPath } | null {
  if (!rawPath.startsWith('/realms/') && !rawPath.startsWith('/auth/realms/')) return null;
  const [, issuer = '', rest = ''] =
    /^((?:\/auth)?\/realms\/[A-Za-z0-9._-]{1,60})(\/.{1,60})$/.exec(rawPath) ?? [];
  const path = table.get(rest);
  return path ? { issuer, path } : null;
}
