import { pendingRequestLife } from '../oauth/authorization-request.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { read, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { answeredPrefix } from './withdrawals.ts';

/**
 * The prefix of a denied request's id in spent_values. It is stored beside the mark that the
 * request was answered.
 */
const deniedPrefix = 'denied:';

/**
 * Marks an authorization request as denied, so that it never gets a code. Only one of the two
 * answers is ever given: 'flow-used' if it has its code, or might get it. Denying it again changes
 * nothing.
 */
export async function denyRequest(id: string, now: Date): Promise<'denied' | 'flow-used'> {
  const until = addSeconds(now, pendingRequestLife);
  const mark = (prefix: string, condition: string): Statement => ({
    sql: `INSERT INTO spent_values (hash, expires_at) SELECT '${prefix}' || :id, CAST(:until AS TIMESTAMPTZ) ${condition}
      ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    params: { id, until },
  });
  const unanswered = 'WHERE NOT EXISTS (SELECT 1 FROM authorizations WHERE id = :id)';
  await writeTogether(mark(answeredPrefix, unanswered), [mark(deniedPrefix, 'WHERE 1 = 1')]);
  // On PostgreSQL a code may have been stored at the same time as the mark. Whoever stores a code
  // looks for the mark afterwards.
  const sql = `SELECT 1 AS found FROM spent_values WHERE hash = '${deniedPrefix}' || :id
    AND NOT EXISTS (SELECT 1 FROM authorizations WHERE id = :id AND revoked_at IS NULL)`;
  return (await read(sql, { id })).length > 0 ? 'denied' : 'flow-used';
}

/** Whether a request was denied, and so must not get a code. */
export async function isDenied(id: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM spent_values WHERE hash = '${deniedPrefix}' || :id`;
  return (await read(sql, { id })).length > 0;
}
