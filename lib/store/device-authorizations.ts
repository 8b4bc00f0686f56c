import { type AskingDevice, deviceInterval } from '../oauth/device-grant.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type NewAuthorization, storingAuthorization } from './authorizations.ts';
import { boundingDecided, makingRoom } from './device-room.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, isMissingParent, readOne, write, writeTogether } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { unanswered } from './unredeemed-codes.ts';

/*
 * A device that waits to be allowed is one row. As everywhere else, the database picks whose
 * decision counts. Allowing a device stores its authorization in the same transaction, under the
 * same id.
 */

type NewDevice = {
  id: string;
  /** Digest of the device code. */
  hash: string;
  userCode: string;
  clientId: string;
  /** Space-delimited. */
  scope: string;
  /** Space-delimited identifiers of APIs. */
  resources: string;
  address: string | null;
  /** The widest network that it counts towards. */
  network: string;
  expiresAt: Date;
};

const insert = `
  INSERT INTO device_authorizations (id, hash, user_code, client_id, scope, resources, "interval", address, network, created_at, expires_at)
  VALUES (:id, :hash, :userCode, :clientId, :scope, :resources, :interval, :address, :network, :now, :expiresAt) ON CONFLICT DO NOTHING RETURNING id`;

/**
 * Stores a device; if too many wait, an older one makes room. False: another device has its user
 * code.
 */
export async function storeDevice(device: NewDevice, now: Date): Promise<boolean> {
  const params = { ...device, interval: deviceInterval.initial, now };
  const room = makingRoom(device.id, device.clientId, now);
  return (await writeTogether({ sql: insert, params }, room)).length > 0;
}

/** A device in its present state. */
export type Device = AskingDevice & {
  id: string;
  userCode: string;
  scope: string;
  resources: string;
  address: string | null;
  createdAt: Date;
};

const select = `SELECT ${allColumns('device_authorizations')} FROM device_authorizations WHERE`;

async function findBy(column: 'id' | 'hash' | 'user_code', value: string): Promise<Device | null> {
  const sql = `${select} ${column} = :value`;
  const row = await readOne<Columns<'device_authorizations'>>(sql, { value });
  return row ?? null;
}

/** The device with this device code, by its digest, in any state. */
export const findDeviceByHash = (hash: string) => findBy('hash', hash);

const ifWaiting = (device: Device | null, now: Date) =>
  device?.state === 'waiting' && device.expiresAt > now ? device : null;

/** The device that shows this code, as long as it still waits for a decision. */
export const findWaitingByUserCode = async (code: string, now: Date) =>
  ifWaiting(await findBy('user_code', code), now);

/** The same, by its id. */
export const findWaitingDevice = async (id: string, now: Date) =>
  ifWaiting(await findBy('id', id), now);

const ask = `
  UPDATE device_authorizations SET asked_at = :now
  WHERE id = :id AND asked_at IS NOT DISTINCT FROM CAST(:askedAt AS TIMESTAMPTZ) RETURNING id`;

/** Notes that a device asked for its tokens. False: it asked elsewhere at the same time. */
export async function noteAsking({ id, askedAt }: Device, now: Date): Promise<boolean> {
  return (await write(ask, { id, now, askedAt })).length > 0;
}

const { step, most } = deviceInterval;
const slower = `
  UPDATE device_authorizations SET "interval" = CASE WHEN "interval" + ${step} < ${most} THEN "interval" + ${step} ELSE ${most} END
  WHERE id = :id RETURNING "interval"`;

/**
 * Makes a device wait longer from now on; returns the seconds. At the maximum nothing is written.
 */
export async function slowDown({ id, interval }: Device): Promise<number> {
  if (interval >= most) return most;
  const [row] = await write<Columns<'device_authorizations', 'interval'>>(slower, { id });
  return row?.interval ?? most;
}

const decide = (state: 'allowed' | 'denied', also = '') => `
  UPDATE device_authorizations SET state = '${state}', user_id = :userId
  WHERE id = :id AND state = 'waiting' AND expires_at > CAST(:now AS TIMESTAMPTZ) ${also} RETURNING id`;
const allow = decide(
  'allowed',
  `AND EXISTS (SELECT 1 FROM grants g WHERE g.id = :grantId AND ${unanswered(':id')})`,
);
const deny = decide('denied');

const see = 'UPDATE device_authorizations SET seen_at = :now WHERE id = :id AND seen_at IS NULL';

/** Notes that a person who typed the code of a device is being asked about it. */
export async function noteCodeEntered(id: string, now: Date): Promise<void> {
  await write(see, { id, now });
}

/**
 * Allows a device, and stores its authorization and the event. False: it was already decided, it
 * has expired, or the user, the client or the consent ended at this moment; then nothing has
 * happened.
 */
export async function allowDevice(
  authorization: NewAuthorization,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const { id, userId, grantId } = authorization;
  const first = { sql: allow, params: { id, userId, now, grantId } };
  try {
    const stored: Statement = { ...storingAuthorization(authorization, now), must: true };
    const then = [stored, boundingDecided(userId), auditing(event, now)];
    return (await writeTogether(first, then)).length > 0;
  } catch (error) {
    if (isMissingParent(error)) return false;
    throw error;
  }
}

/** Denies a device. False: it was already decided, or it has expired. */
export async function denyDevice(
  id: string,
  userId: string,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const first = { sql: deny, params: { id, userId, now } };
  return (await writeTogether(first, [boundingDecided(userId), auditing(event, now)])).length > 0;
}
