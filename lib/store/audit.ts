import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import type { AuditEntry } from './audit-entry.ts';
import { write } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { whenDurable } from './engine/transaction.ts';

const insert = `
  INSERT INTO audit_events (id, at, type, actor, user_id, client_id, address, request_id, detail)
  VALUES (:id, :now, :type, :actor, :userId, :clientId, :address, :requestId, :detail)`;

/** The statement that stores an event, for the same transaction as the change it reports. */
export function auditing(entry: AuditEntry, now: Date): Statement {
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
  const said = { id, actor, userId, clientId, address, requestId };
  const line = { audit: type, ...said, detail };
  return {
    sql: insert,
    event: entry,
    // Also a log line, so it can be shipped to where admins can't delete it.
    whenDone: () => {
      log().info(line, 'audit');
      metrics()?.happened(type);
    },
    params: { ...said, now, type, detail: JSON.stringify(detail) },
  };
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
