import type { Rule } from '../oauth/facts.ts';
import { type Columns, type Joined, read } from './engine/database.ts';
import type { Total } from './engine/page.ts';
import { inList } from './engine/parameters.ts';
import { byDay } from './usage.ts';

/** What a list shows about a client besides its settings. */
export type AppFacts = {
  /** Users who gave it access. */
  people: Total;
  /** Refused requests in the last day, and in the last seven days including today. */
  refusedInDay: number;
  refusedInWeek: number;
  /** The latest attempt that had something refused, and the rule of its last request. */
  failure: { traceId: string; rule: Rule | null } | null;
};

const hour = 3600_000;
const day = 24 * hour;
const countedAtMost = 10_000;

type FactsRow = Columns<'clients', 'id'> & { people: number } & Joined<{
    traceId: string;
    rule: string;
  }>;

/** The facts of these clients, by id; a bounded number of rows is read for each. */
export async function factsOfApps(
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, AppFacts>> {
  if (ids.length === 0) return new Map();
  const clients = inList('client', ids);
  const latest = `SELECT f.id FROM traces f WHERE f.client_id = c.id AND f.failed = TRUE ORDER BY f.last_at DESC, f.id DESC LIMIT 1`;
  const people = `SELECT count(*) FROM (SELECT 1 AS one FROM grants g WHERE g.client_id = c.id LIMIT ${countedAtMost + 1}) AS few`;
  const sql = `SELECT c.id, (${people}) AS people, t.id AS trace_id, t.rule FROM clients c
    LEFT JOIN traces t ON t.id = (${latest}) WHERE c.id IN (${clients.marks})`;
  const [rows, inDay, inWeek] = await Promise.all([
    read<FactsRow>(sql, clients.params),
    refusals('refusal', spans(now, hour, 25), ids),
    refusals(`refusal${byDay}`, spans(now, day, 7), ids),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        people: { count: Math.min(row.people, countedAtMost), more: row.people > countedAtMost },
        refusedInDay: inDay.get(row.id) ?? 0,
        refusedInWeek: inWeek.get(row.id) ?? 0,
        failure: row.traceId === null ? null : { traceId: row.traceId, rule: row.rule as Rule },
      },
    ]),
  );
}

/** The starts of the latest hours or days (UTC), including the current one. */
function spans(now: Date, unit: number, count: number): Date[] {
  const current = now.getTime() - (now.getTime() % unit);
  return Array.from({ length: count }, (_, index) => new Date(current - index * unit));
}

/** Each count is a single row, found by the primary key. */
async function refusals(
  name: string,
  hours: readonly Date[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const [within, clients] = [inList('hour', hours), inList('client', ids)];
  const sql = `SELECT client_id, SUM(value) AS refused FROM usage_counters
    WHERE name = :name AND hour IN (${within.marks}) AND client_id IN (${clients.marks})
    GROUP BY client_id`;
  const params = { name, ...within.params, ...clients.params };
  const rows = await read<{ clientId: string; refused: number }>(sql, params);
  return new Map(rows.map(({ clientId, refused }) => [clientId, refused]));
}
