import { type TraceFilter, type TraceRecord, traceList } from '../../store/trace-list.ts';
import { writeTraces } from '../../store/traces.ts';
import { csvLine } from '../csv.ts';

/** Attempts read at a time, so memory stays small however many are exported. */
const step = 500;

const columns: [string, (attempt: TraceRecord) => string | null][] = [
  ['id', ({ id }) => id],
  ['started_at', ({ startedAt }) => startedAt.toISOString()],
  ['last_at', ({ lastAt }) => lastAt.toISOString()],
  ['client_id', ({ clientId }) => clientId],
  ['client_name', ({ clientName }) => clientName],
  ['user_id', ({ userId }) => userId],
  ['username', ({ username }) => username],
  ['last_step', (attempt) => attempt.step],
  ['outcome', ({ outcome }) => outcome],
  ['rule', ({ rule }) => rule],
  ['failed', ({ failed }) => String(failed)],
  ['sent_by', ({ behind }) => behind],
];

/** Streams the attempts that match a filter as CSV, latest request first. Null matches none. */
export async function* exportAttempts(filter: TraceFilter | null): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  if (!filter) return;
  await writeTraces();
  for await (const rows of traceList.pages(filter, step)) {
    yield rows.map((attempt) => csvLine(columns.map(([, value]) => value(attempt)))).join('');
  }
}
