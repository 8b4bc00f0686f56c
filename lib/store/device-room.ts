import { locking } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/*
 * Anyone can start devices for a public client. When too many wait, one from the network with the
 * most of them makes room, so that anyone who fills the queue pushes out their own devices. On
 * PostgreSQL, starts at the same moment do not see each other. The limit can then be exceeded by
 * the number of connections, and each later start removes one surplus device besides making room
 * for its own.
 */

/** The maximum number of devices that wait at the same time, for one client and in all. */
export const mostWaitingDevices = { ofClient: 1000, inAll: 10_000 };

const waiting = "FROM device_authorizations WHERE state = 'waiting' AND expires_at > :now";

// LIMIT: nothing is grouped while there is room. Within the network, devices that no one has looked
// at go first, and the new one goes last. The state is checked again, because a device that was
// found waiting may just have been allowed.
const makeRoom = (most: number, which = '') => `
  WITH gone AS MATERIALIZED (
    SELECT id ${waiting} ${which}
      AND network = (SELECT network ${waiting} ${which} GROUP BY network ORDER BY COUNT(*) DESC, MIN(id) LIMIT 1)
    ORDER BY CASE WHEN id = :id THEN 2 WHEN seen_at IS NULL THEN 0 ELSE 1 END, id
    LIMIT (SELECT CASE WHEN COUNT(*) > ${most} THEN COUNT(*) - ${most} ELSE 0 END
      FROM (SELECT 1 AS one ${waiting} ${which} LIMIT ${most + 2}) AS counted) ${passingOver()})
  DELETE FROM device_authorizations WHERE state = 'waiting' AND id IN (SELECT id FROM gone)`;
const makeRoomOfClient = () => makeRoom(mostWaitingDevices.ofClient, 'AND client_id = :clientId');
const makeRoomInAll = () => makeRoom(mostWaitingDevices.inAll);

/**
 * On PostgreSQL, skips the devices that another start is deleting now: they make room for that
 * start alone.
 */
const passingOver = () => locking('FOR UPDATE SKIP LOCKED');

/** The statements that make room for the device stored under this id. */
export function makingRoom(id: string, clientId: string, now: Date): Statement[] {
  return [
    { sql: makeRoomOfClient(), params: { now, id, clientId } },
    { sql: makeRoomInAll(), params: { now, id } },
  ];
}

/** The maximum number of devices decided by one person that are kept, until they expire. */
export const mostDecided = 50;

const bound = `
  DELETE FROM device_authorizations WHERE id IN (
    SELECT id FROM device_authorizations WHERE user_id = :userId ORDER BY id DESC LIMIT 10 OFFSET ${mostDecided})`;

/** Removes the oldest devices to make room for one more that this person decides about. */
export function boundingDecided(userId: string): Statement {
  return { sql: bound, params: { userId } };
}
