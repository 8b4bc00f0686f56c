import type { ClientSettings } from '../../oauth/client.ts';
import { deviceGrant, usualGrantTypes } from '../../oauth/grant-types.ts';
import type { ClientChange } from './clients.ts';

export const clientKinds = [
  'web',
  'public',
  'service',
  'oidc',
  'device',
  'guarded',
  'ldap',
] as const;
/** What an app is; the rest follows from it. */
export type ClientKind = (typeof clientKinds)[number];

/**
 * The settings that a new client of a kind starts with: as strict as such software supports without
 * further configuration. PKCE is not demanded of apps that keep a secret, because their libraries
 * often send it only when told to (RFC 9700 section 2.1.1 only recommends it to them).
 */
export function startOf(kind: ClientKind): ClientChange {
  switch (kind) {
    case 'web':
      return {
        type: 'confidential',
        grants: [...usualGrantTypes],
        requireClientAuthOnRefresh: true,
      };
    case 'public':
      return { type: 'public', grants: [...usualGrantTypes] };
    case 'device':
      return { type: 'public', grants: [deviceGrant, 'refresh_token'] };
    case 'service':
      return { type: 'confidential', grants: ['client_credentials'], scopes: [] };
    case 'guarded':
      return {
        type: 'confidential',
        grants: ['authorization_code'],
        scopes: ['openid', 'profile', 'email', 'groups'],
        firstParty: true,
      };
    case 'ldap':
      // With this grant nobody can sign in to it in a browser, and without scopes it gets nothing.
      return {
        type: 'confidential',
        grants: ['client_credentials'],
        scopes: [],
        ldap: true,
        appPasswords: true,
      };
    case 'oidc':
      return {
        type: 'confidential',
        grants: [...usualGrantTypes],
        scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
        requireClientAuthOnRefresh: true,
      };
  }
}

type Speaking = Pick<ClientSettings, 'guardedSites' | 'ldap' | 'grants' | 'scopes'>;

/**
 * How an app finds out who someone is: the headers of its proxy, the LDAP server alone, or the
 * tokens that it gets.
 */
export function spokenBy({
  guardedSites,
  ldap,
  grants,
  scopes,
}: Speaking): 'proxy' | 'ldap' | 'oauth' {
  if (guardedSites.length > 0) return 'proxy';
  const getsTokens = scopes?.length || grants.some((grant) => grant !== 'client_credentials');
  return ldap && !getsTokens ? 'ldap' : 'oauth';
}
