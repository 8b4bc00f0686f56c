import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import type { AuditEntry } from './audit-entry.ts';
import { beforeClose, read, write } from './engine/database.ts';
import { insertingRows } from './engine/many-rows.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';
import { whenDurable } from './engine/transaction.ts';
import { shownName } from './shown-name.ts';

/** The statement that stores an event, for the same transaction as the change it reports. */
export const auditing = (entry: AuditEntry, now: Date): Statement => {
  const { row, line } = rowOf(entry, now);
  return { ...insertingRows('audit_events', [row]), event: entry, whenDone: () => tell([line]) };
};

/** As `auditing`, for many events: at most a few thousand. */
export function auditingAll(entries: readonly AuditEntry[], now: Date): Statement[] {
  if (entries.length === 0) return [];
  const all = entries.map((entry) => rowOf(entry, now));
  const rows = all.map(({ row }) => row);
  const whenDone = () => tell(all.map(({ line }) => line));
  return [{ ...insertingRows('audit_events', rows), event: entries, whenDone }];
}

/**
 * The row of an event, and its line in the log, which can be shipped to where admins cannot delete
 * it. It is written once the row is durable.
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
  return { row, line };
}

type Line = ReturnType<typeof rowOf>['line'];

const told = () =>
  once('audit-told', () => {
    beforeClose(auditTold);
    return { last: Promise.resolve() };
  });

/** Once all events until now are in the log. */
export const auditTold = (): Promise<void> => told().last;

/** Writes events to the log one after the other, with the names of their people and apps. */
function tell(lines: readonly Line[]): void {
  for (const { audit } of lines) metrics()?.happened(audit);
  if (!log().isLevelEnabled('info')) return;
  told().last = auditTold().then(async () => {
    const names = await namesIn(lines).catch(() => new Map<string | null, string>());
    for (const line of lines) {
      const [actorName, username] = [names.get(line.actor), names.get(line.userId)];
      log().info({ ...line, actorName, username, clientName: names.get(line.clientId) }, 'audit');
    }
  });
}

/** Usernames of people and names of apps, by id. */
async function namesIn(lines: readonly Line[]): Promise<Map<string | null, string>> {
  const people = listOf('user', [
    ...lines.map(({ actor }) => actor),
    ...lines.map(({ userId }) => userId),
  ]);
  const apps = listOf(
    'client',
    lines.map(({ clientId }) => clientId),
  );
  const rows = await read<{ id: string; name: string }>(
    `SELECT id, username AS name FROM users WHERE id IN (${people.marks})
    UNION ALL SELECT c.id, ${shownName('c')} AS name FROM clients c WHERE c.id IN (${apps.marks})`,
    { ...people.params, ...apps.params },
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** At least one value, as a list in SQL has. */
const listOf = (name: string, ids: readonly (string | null)[]) =>
  inList(name, [...new Set([...ids, ''])]);

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

/** The maximum number of daily events that a process remembers. */
const mostDaily = 50_000;

/** Stores an event about a person and an app once a day (UTC), however many processes there are. */
export async function auditDaily(entry: AuditEntry, now: Date): Promise<void> {
  const { type, userId = null, clientId = null, detail = {} } = entry;
  const since = new Date(now.toISOString().slice(0, 10));
  const about = { type, userId, clientId, detail: JSON.stringify(detail), since };
  const [known, key] = [once('audit-daily', () => new Set<string>()), JSON.stringify(about)];
  if (known.has(key)) return;
  if (known.size >= mostDaily) known.clear();
  known.add(key);
  const sql = `SELECT id FROM audit_events WHERE user_id = :userId AND at >= :since
    AND client_id = :clientId AND type = :type AND detail = :detail LIMIT 1`;
  if ((await read(sql, about)).length === 0) await audit(entry, now);
}

/** Stores an event. */
export async function audit(entry: AuditEntry, now: Date): Promise<void> {
  const statement = auditing(entry, now);
  await write(statement.sql, statement.params);
  whenDurable(statement);
}
