import type { ClientChange } from './clients.ts';

export const clientKinds = ['web', 'public', 'service', 'oidc'] as const;
/** What an app is; the rest follows from it. */
export type ClientKind = (typeof clientKinds)[number];

/** What a new client of a kind begins with: as tight as such an app can be, and changed later where it cannot. */
export function startOf(kind: ClientKind): ClientChange {
  switch (kind) {
    case 'web':
      return {
        type: 'confidential',
        grants: [...withPeople],
        requirePkce: true,
        requireClientAuthOnRefresh: true,
      };
    case 'public':
      return { type: 'public', grants: [...withPeople] };
    case 'service':
      return { type: 'confidential', grants: ['client_credentials'], scopes: [] };
    case 'oidc':
      return {
        type: 'confidential',
        grants: [...withPeople],
        scopes: ['openid', 'profile', 'email'],
        requirePkce: true,
        requireClientAuthOnRefresh: true,
      };
  }
}

const withPeople = ['authorization_code', 'refresh_token'] as const;
