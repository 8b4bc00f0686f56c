/** The first segment of every address of ours that a browser may be redirected to. */
type Room =
  | 'account'
  | 'admin'
  | 'approval'
  | 'consent'
  | 'device'
  | 'docs'
  | 'expired'
  | 'login'
  | 'logout'
  | 'no-access'
  | 'oauth'
  | 'recover'
  | 'register'
  | 'setup'
  | 'switch';

/** A path on this server, without a query. */
export type OwnPath = `/${Room}` | `/${Room}/${string}`;

/**
 * A path on this server with its query or fragment. It starts with a known segment, so it can never
 * name another host (`//evil.example`), and request input doesn't fit the type unless checked.
 */
export type OwnAddress = `/${Room}` | `/${Room}${'/' | '?' | '#'}${string}`;

/** Where a provider that an admin named is asked; made by lib/identity/upstream/ask.ts alone. */
export type ProviderAddress = string & { readonly brand: 'provider' };
