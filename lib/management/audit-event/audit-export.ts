import { type AuditFilter, type AuditRecord, auditList } from '../../store/audit-list.ts';
import { csvLine } from '../csv.ts';

type ExportFormat = 'csv' | 'json';

/** Events read at a time, so memory stays small however much is exported. */
const step = 500;

const columns: [string, (event: AuditRecord) => string | null][] = [
  ['time', (event) => event.at.toISOString()],
  ['type', (event) => event.type],
  ['actor', (event) => event.actorName ?? event.actor],
  ['user', (event) => event.username ?? event.userId],
  ['client', (event) => event.clientName],
  ['client_id', (event) => event.clientId],
  ['address', (event) => event.address],
  ['request_id', (event) => event.requestId],
  ['detail', (event) => JSON.stringify(event.detail)],
];

/** Streams the events of a search as a file, newest first. A null filter matches nothing. */
export async function* exportAudit(
  filter: AuditFilter | null,
  format: ExportFormat,
): AsyncGenerator<string> {
  yield format === 'csv' ? csvLine(columns.map(([name]) => name)) : '[';
  let lead = '\n';
  for await (const events of filter ? auditList.pages(filter, step) : []) {
    const lines = events.map((event) =>
      format === 'csv'
        ? csvLine(columns.map(([, value]) => value(event)))
        : JSON.stringify(jsonOf(event)),
    );
    if (lines.length > 0) yield format === 'csv' ? lines.join('') : lead + lines.join(',\n');
    lead = ',\n';
  }
  if (format === 'json') yield '\n]\n';
}

function jsonOf(event: AuditRecord): Record<string, unknown> {
  return {
    id: event.id,
    time: event.at.toISOString(),
    type: event.type,
    actor: event.actor,
    actor_name: event.actorName,
    user_id: event.userId,
    username: event.username,
    client_id: event.clientId,
    client_name: event.clientName,
    address: event.address,
    request_id: event.requestId,
    detail: event.detail,
  };
}
