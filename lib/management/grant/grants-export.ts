import { type GrantFilter, type GrantRecord, grantList } from '../../store/grant-list.ts';
import { flushUsage } from '../../store/usage.ts';
import { csvLine } from '../csv.ts';

/** Approvals read at a time, so memory stays small however many are exported. */
const step = 500;

const columns: [string, (grant: GrantRecord) => string | null][] = [
  ['user_id', ({ userId }) => userId],
  ['username', ({ username }) => username],
  ['name', ({ name }) => name],
  ['client_id', ({ clientId }) => clientId],
  ['client_name', ({ clientName }) => clientName],
  ['scope', ({ scopes }) => scopes.join(' ')],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['updated_at', ({ updatedAt }) => updatedAt.toISOString()],
  ['last_used_at', ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null],
];

/** Streams the approvals that match a filter as CSV, newest first. Null matches none. */
export async function* exportApprovals(filter: GrantFilter | null): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  if (!filter) return;
  await flushUsage();
  for await (const rows of grantList.pages(filter, step)) {
    yield rows.map((grant) => csvLine(columns.map(([, value]) => value(grant)))).join('');
  }
}
