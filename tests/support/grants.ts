import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);

/** Stores a user's approval of a client, 200 days old and last used this many days ago. */
export function approve(userId: string, clientId: string, used: number | null) {
  return write(
    `INSERT INTO grants (id, user_id, client_id, scopes, created_at, updated_at, last_used_at)
      VALUES (:id, :userId, :clientId, 'openid', :since, :since, :used)`,
    {
      id: newId(new Date()),
      userId,
      clientId,
      since: daysAgo(200),
      used: used === null ? null : daysAgo(used),
    },
  );
}
