import { readOne } from './engine/database.ts';

/** How far a server has come since it was set up. */
export type Progress = {
  /** An app is registered. */
  hasApp: boolean;
  /** A user has signed in to an app, and the app got its tokens. */
  hasSignIn: boolean;
  /** There are at least two admins who can sign in. */
  hasSecondAdmin: boolean;
};

const sql = `
  SELECT EXISTS (SELECT 1 FROM clients) AS app,
    EXISTS (SELECT 1 FROM grants WHERE last_used_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM authorizations WHERE redeemed_at IS NOT NULL) AS sign_in,
    (SELECT COUNT(*) FROM (SELECT 1 AS one FROM users WHERE is_admin = :isAdmin AND disabled_at IS NULL LIMIT 2) AS two) AS admins`;

export async function readProgress(): Promise<Progress> {
  const row = await readOne(sql, { isAdmin: true });
  return {
    hasApp: Boolean(row?.app),
    hasSignIn: Boolean(row?.signIn),
    hasSecondAdmin: Number(row?.admins) > 1,
  };
}
