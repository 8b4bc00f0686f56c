import { lineageLives } from './lineage.ts';

/** SQL: the refresh token of the authorization `a`, of the user `u` and the client `c`, works. */
export const isLive = `a.idle_until > :now AND a.revoked_at IS NULL AND a.user_epoch = u.epoch AND a.client_epoch = c.epoch AND ${lineageLives('a')}`;

/** SQL: how many live authorizations belong to certain grants `g`. */
export const countLive = (which: string) => `(
  SELECT COUNT(*) FROM grants g JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id
  JOIN authorizations a ON a.grant_id = g.id WHERE ${which} AND ${isLive})`;
