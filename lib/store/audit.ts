import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import type { AuditEntry } from './audit-entry.ts';
import { write } from './engine/database.ts';
import { insertingRows } from './engine/many-rows.ts';
import type { Statement } from './engine/statement.ts';
import { whenDurable } from './engine/transaction.ts';

/** The statement that stores an event, for the same transaction as the change it reports. */
export const auditing = (entry: AuditEntry, now: Date): Statement => {
  const { row, tell } = rowOf(entry, now);
  return { ...insertingRows('audit_events', [row]), event: entry, whenDone: tell };
};

/** As `auditing`, for many events: at most a few thousand. */
export function auditingAll(entries: readonly AuditEntry[], now: Date): Statement[] {
  if (entries.length === 0) return [];
  const all = entries.map((entry) => rowOf(entry, now));
  const rows = all.map(({ row }) => row);
  const whenDone = () => {
    for (const { tell } of all) tell();
  };
  return [{ ...insertingRows('audit_events', rows), event: entries, whenDone }];
}

/**
 * The row of an event. `tell` reports it once it is durable. It writes a log line too, which can be
 * shipped to where admins cannot delete it.
 */
function rowOf(entry: AuditEntry, now: Date) {
  const {
    type,
    actor = null,
    userId = null,
    clientId = null,
    address = null,
    requestId = null,
    detail = {},
  } = entry;
  const id = newId(now);
  const line = { audit: type, id, actor, userId, clientId, address, requestId, detail };
  const tell = () => {
    log().info(line, 'audit');
    metrics()?.happened(type);
  };
  const row = {
    id,
    at: now,
    type,
    actor,
    user_id: userId,
    client_id: clientId,
    address,
    request_id: requestId,
    detail: JSON.stringify(detail),
  };
  return { row, tell };
}

const minute = 60_000;
/**
 * The maximum number of events of one type that a process stores in a minute, for types that anyone
 * can cause at will.
 */
const mostInMinute = 60;

/** The events of a type in the minute that began at `since`. */
type Lately = { since: number; keys: Set<string>; leftOut: number };

const latelyOf = () => once('audit-once', () => new Map<AuditEntry['type'], Lately>());

/**
 * Stores an event that anyone can cause at will: in each minute and process once per key, and at
 * most sixty of one type, so that it cannot fill the disk. Events left out beyond that are counted
 * in the log.
 */
export async function auditOnce(key: string, entry: AuditEntry, now: Date): Promise<void> {
  const lately = inMinute(entry.type, now);
  if (lately.keys.has(key)) return;
  if (lately.keys.size >= mostInMinute) {
    lately.leftOut += 1;
    return;
  }
  lately.keys.add(key);
  await audit(entry, now);
}

/** The events of a type in the current minute. */
function inMinute(type: AuditEntry['type'], now: Date): Lately {
  endMinutes(now);
  const current = latelyOf().get(type);
  if (current) return current;
  const lately = { since: now.getTime(), keys: new Set<string>(), leftOut: 0 };
  latelyOf().set(type, lately);
  return lately;
}

/**
 * Ends the minutes that have passed; the log says how many events each left out. A slow request may
 * have begun before a minute that is still current, so a time before it ends it only if the clock
 * was set back.
 */
export function endMinutes(now: Date): void {
  for (const [type, { since, leftOut }] of latelyOf()) {
    if (Math.abs(now.getTime() - since) < minute) continue;
    latelyOf().delete(type);
    if (leftOut > 0) log().warn({ audit: type, leftOut }, 'audit events left out');
  }
}

/** Stores an event. */
export async function audit(entry: AuditEntry, now: Date): Promise<void> {
  const statement = auditing(entry, now);
  await write(statement.sql, statement.params);
  whenDurable(statement);
}
