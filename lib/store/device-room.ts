import { locking } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/*
 * Anyone can start devices for a public client. Where too many wait, one of the network that has
 * most of them makes room, so that whoever fills the place pushes out their own. Starts of one moment
 * do not see each other on PostgreSQL: so many more than the bound may wait as there are connections,
 * and each later start takes one of them away beside its own.
 */

/** So many devices may wait at once: of one client, and in all. */
export const mostWaiting = { ofClient: 1000, inAll: 10_000 };

const waiting = "FROM device_authorizations WHERE state = 'waiting' AND expires_at > :now";

// LIMIT: nothing is gathered while there is room. Of the network first what nobody has looked at, and
// the new one last. The state once more: somebody may just have let in what was found waiting.
const makeRoom = (most: number, which = '') => `
  WITH gone AS MATERIALIZED (
    SELECT id ${waiting} ${which}
      AND network = (SELECT network ${waiting} ${which} GROUP BY network ORDER BY COUNT(*) DESC, MIN(id) LIMIT 1)
    ORDER BY CASE WHEN id = :id THEN 2 WHEN seen_at IS NULL THEN 0 ELSE 1 END, id
    LIMIT (SELECT CASE WHEN COUNT(*) > ${most} THEN COUNT(*) - ${most} ELSE 0 END
      FROM (SELECT 1 AS one ${waiting} ${which} LIMIT ${most + 2}) AS counted) ${passingOver()})
  DELETE FROM device_authorizations WHERE state = 'waiting' AND id IN (SELECT id FROM gone)`;
const makeRoomOfClient = () => makeRoom(mostWaiting.ofClient, 'AND client_id = :clientId');
const makeRoomInAll = () => makeRoom(mostWaiting.inAll);

/** PostgreSQL: what another start takes away in this moment makes room for that one alone. */
const passingOver = () => locking('FOR UPDATE SKIP LOCKED');

/** What has to go for a device that was stored under this id. */
export function makingRoom(id: string, clientId: string, now: Date): Statement[] {
  return [
    { sql: makeRoomOfClient(), params: { now, id, clientId } },
    { sql: makeRoomInAll(), params: { now, id } },
  ];
}

/** So many devices that one person has decided about are kept, until they expire. */
export const mostDecided = 50;

const bound = `
  DELETE FROM device_authorizations WHERE id IN (
    SELECT id FROM device_authorizations WHERE user_id = :userId ORDER BY id DESC LIMIT 10 OFFSET ${mostDecided})`;

/** What has to go for one more device that this person decides about: the oldest. */
export function boundingDecided(userId: string): Statement {
  return { sql: bound, params: { userId } };
}
