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

/** As `auditing`, of many events at once: at most some thousand. */
export function auditingAll(entries: readonly AuditEntry[], now: Date): Statement[] {
  if (entries.length === 0) return [];
  const all = entries.map((entry) => rowOf(entry, now));
  const rows = all.map(({ row }) => row);
  const whenDone = () => {
    for (const { tell } of all) tell();
  };
  return [{ ...insertingRows('audit_events', rows), event: entries, whenDone }];
}

/** The row of an event. `tell` says it once it is durable: also a log line, so it can be shipped to where admins can't delete it. */
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

const onceEvery = 60_000;
const maxRemembered = 10_000;

/**
 * Stores an event that anybody can cause at will: at most once a minute per key and process, so
 * it can't fill the disk.
 */
export async function auditOnce(key: string, entry: AuditEntry, now: Date): Promise<void> {
  const recent = once('audit-once', () => new Map<string, number>());
  const full = `${entry.type} ${key}`;
  if (now.getTime() - (recent.get(full) ?? 0) < onceEvery) return;
  if (recent.size >= maxRemembered) recent.clear();
  recent.set(full, now.getTime());
  await audit(entry, now);
}

/** Stores an event. */
export async function audit(entry: AuditEntry, now: Date): Promise<void> {
  const statement = auditing(entry, now);
  await write(statement.sql, statement.params);
  whenDurable(statement);
}
