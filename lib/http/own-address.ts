/** The first segment of every address on this server that a browser can be redirected to. */
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
 * A path on this server with its query or fragment. Because it starts with a known segment it can
 * never name another host (`//evil.example`), and unchecked request input doesn't fit the type.
 */
export type OwnAddress = `/${Room}` | `/${Room}${'/' | '?' | '#'}${string}`;

/** The address at which a provider is asked. Only lib/identity/upstream/ask.ts makes one. */
export type ProviderAddress = string & { readonly brand: 'provider' };
