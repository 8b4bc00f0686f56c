/** The first part of every address of ours that a browser is sent on to. */
type Room =
  | 'account'
  | 'admin'
  | 'consent'
  | 'expired'
  | 'login'
  | 'logout'
  | 'oauth'
  | 'recover'
  | 'register'
  | 'setup'
  | 'switch';

/** A path on this server, without a query. */
export type OwnPath = `/${Room}` | `/${Room}/${string}`;

/**
 * A path on this server, with its query or the place on its page. It begins with one of our rooms, so that it can never name
 * another host (`//evil.example`), and text from a request is none unless it has been checked.
 */
export type OwnAddress = `/${Room}` | `/${Room}${'/' | '?' | '#'}${string}`;
