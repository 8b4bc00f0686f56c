import { type Columns, type Joined, read } from './engine/database.ts';
import { isOfSignIn } from './lineage.ts';

/**
 * What is stored of an authorization request that was answered with a code, and of the user who was
 * there.
 */
export type Asked = Columns<
  'authorizations',
  | 'id'
  | 'clientId'
  | 'userId'
  | 'scope'
  | 'resources'
  | 'redirectUri'
  | 'codeChallenge'
  | 'nonce'
  | 'claims'
  | 'authTime'
  | 'amr'
  | 'createdAt'
> &
  Joined<Columns<'sessions', 'address'>> & {
    hasState: boolean;
    hasFactor: boolean;
    /** The app's name as it is now. */
    appName: string;
  };

/**
 * The requests of people's apps that were answered since a moment, the latest first; at most
 * `most`.
 */
export async function askedLately(since: Date, most: number): Promise<Asked[]> {
  const sql = `
    SELECT a.id, a.client_id, a.user_id, a.scope, a.resources, a.redirect_uri, a.code_challenge, a.nonce, a.claims,
      a.auth_time, a.amr, a.created_at, s.address, c.name AS app_name,
      CASE WHEN a.state_hash IS NULL THEN 0 ELSE 1 END AS has_state,
      CASE WHEN EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = a.user_id)
        OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = a.user_id) THEN 1 ELSE 0 END AS has_factor
    FROM authorizations a JOIN clients c ON c.id = a.client_id LEFT JOIN sessions s ON s.hash = a.session_hash
    WHERE a.created_at >= :since AND a.redirect_uri <> '' AND ${isOfSignIn('a')}
    ORDER BY a.created_at DESC, a.id LIMIT :most`;
  type Row = Omit<Asked, 'hasState' | 'hasFactor'> & { hasState: 0 | 1; hasFactor: 0 | 1 };
  const rows = await read<Row>(sql, { since, most });
  return rows.map((row) => ({
    ...row,
    hasState: row.hasState === 1,
    hasFactor: row.hasFactor === 1,
  }));
}
